import { COUNTRIES, REGISTRATION_COUNTRY } from '@vuka/money/corridors';
import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Email, onlyShown, Pin, WalletCurrency } from './common.ts';

const PROPOSED = COUNTRIES[REGISTRATION_COUNTRY];

/** The sign-in form. The server also accepts `password` for `pin` (see `LoginRequest`). */
export const LoginForm = z.object({ username: Email, pin: Pin });
export type LoginForm = z.infer<typeof LoginForm>;

export const RegisterForm = z.object({
  name: z
    .string({ error: reason('name_too_short', { min: 3 }) })
    .check(
      z.trim(),
      z.minLength(3, { error: reason('name_too_short', { min: 3 }) }),
      z.maxLength(100, { error: reason('name_too_long', { max: 100 }) }),
      onlyShown,
    ),
  email: Email,
  phoneNumber: z
    .string({ error: reason('phone_too_short', { min: 10 }) })
    .check(
      z.regex(/^\+?\d*$/, { error: reason('phone_not_numeric'), abort: true }),
      z.minLength(10, { error: reason('phone_too_short', { min: 10 }) }),
      z.maxLength(13, { error: reason('phone_too_long', { max: 13 }) }),
    ),
  pin: Pin,
  defaultCurrency: z._default(WalletCurrency, PROPOSED.currency),
  country: z._default(
    z
      .string()
      .check(
        z.trim(),
        z.minLength(2, { error: reason('country_too_short', { min: 2 }) }),
        z.maxLength(100, { error: reason('country_too_long', { max: 100 }) }),
        onlyShown,
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

/** Walks over a phone's keypad: columns, and the corners in order, in both directions. */
const WALKS = new Set([
  '2580',
  '0852',
  '1470',
  '0741',
  '3690',
  '0963',
  '1397',
  '1793',
  '7139',
  '7931',
  '9317',
  '9713',
  '3179',
  '3971',
]);
/** Years of birth and of important days; one account in ten would have such a PIN if it were allowed. */
const YEAR = /^(19[3-9]|20[0-4])\d$/;
const REPEATS = /^(\d\d)\1$|^(\d)\2(\d)\3$|^(\d)(\d)\5\4$/;
/** Other PINs that are frequent in leaked lists. */
const FREQUENT = new Set(['1004', '7890', '0987', '0007', '5683', '1230', '1236', '1478', '1123', '1235', '1245']);

/**
 * Easily guessed PINs: the same or consecutive digits, repeated or mirrored pairs, years, walks over the keypad, and
 * others that are frequent. Refused at registration and PIN change, never at sign-in.
 */
export function isTrivialPin(pin: string): boolean {
  const steps = new Set([...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index])));
  const isRun = steps.size === 1 && [0, 1, -1].includes([...steps][0] ?? Number.NaN);
  return isRun || REPEATS.test(pin) || YEAR.test(pin) || WALKS.has(pin) || FREQUENT.has(pin);
}
