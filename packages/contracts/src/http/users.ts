import { COUNTRIES, REGISTRATION_COUNTRY } from '@vuka/money/corridors';
import * as z from 'zod/mini';
import { Email, Id, Pin, Timestamp, WalletCurrency } from './common.ts';

const PROPOSED = COUNTRIES[REGISTRATION_COUNTRY];

export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  fullName: z.string(),
  phone: z.string(),
  country: z.string(),
  defaultCurrency: WalletCurrency,
  isAdmin: z.boolean(),
  merchantData: z.nullable(z.object({ merchantId: z.string() })),
  adminId: z.nullable(z.string()),
  createdAt: Timestamp,
});
export type User = z.infer<typeof User>;

/** The sign-in form. The server also accepts `password` for `pin` (see `LoginRequest`). */
export const LoginForm = z.object({ username: Email, pin: Pin });
export type LoginForm = z.infer<typeof LoginForm>;

export const RegisterForm = z.object({
  name: z
    .string({ error: 'Name must be at least 3 characters' })
    .check(
      z.trim(),
      z.minLength(3, { error: 'Name must be at least 3 characters' }),
      z.maxLength(100, { error: 'Name must not exceed 100 characters' }),
    ),
  email: Email,
  phoneNumber: z
    .string({ error: 'Phone number must be at least 10 digits' })
    .check(
      z.regex(/^\+?\d*$/, { error: 'Phone number must contain only numbers', abort: true }),
      z.minLength(10, { error: 'Phone number must be at least 10 digits' }),
      z.maxLength(13, { error: 'Phone number must not exceed 13 digits' }),
    ),
  pin: Pin,
  defaultCurrency: z._default(WalletCurrency, PROPOSED.currency),
  country: z._default(
    z
      .string()
      .check(
        z.trim(),
        z.minLength(2, { error: 'Country must be at least 2 characters' }),
        z.maxLength(100, { error: 'Country must not exceed 100 characters' }),
      ),
    PROPOSED.name,
  ),
});
export type RegisterForm = z.infer<typeof RegisterForm>;

const passwordAsPin = z.transform((body: unknown) =>
  typeof body === 'object' && body !== null && 'password' in body && !('pin' in body)
    ? { ...body, pin: body.password }
    : body,
);

/** The body of `POST /api/login`: `LoginForm`, with `password` accepted for `pin`. */
export const LoginRequest = z.pipe(passwordAsPin, LoginForm);
/** The body of `POST /api/register`: `RegisterForm`, with `password` accepted for `pin`. */
export const RegisterRequest = z.pipe(passwordAsPin, RegisterForm);

export const ProfileUpdate = z.object({ defaultCurrency: WalletCurrency });

export const ChangePinRequest = z.object({ currentPin: Pin, newPin: Pin });

/** Easily guessed PINs. Refused at registration and PIN change, never at sign-in. */
export function isTrivialPin(pin: string): boolean {
  const steps = new Set([...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index])));
  return steps.size === 1 && [0, 1, -1].includes([...steps][0] ?? Number.NaN);
}
