import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Email, Id, Pin, Timestamp } from './common.ts';

export const VerificationChannel = z.enum(['phone', 'email']);
export type VerificationChannel = z.infer<typeof VerificationChannel>;

const Contact = z.object({ value: z.string(), isVerified: z.boolean() });

/** `GET /api/verification`: which of the user's own contacts are verified. `phone` is null without a valid number. */
export const ContactVerification = z.object({ phone: z.nullable(Contact), email: Contact });
export type ContactVerification = z.infer<typeof ContactVerification>;

/** A code was sent. `demoCode` is its digits, in demonstrations only. */
export const CodeSent = z.object({ sentTo: z.string(), expiresAt: Timestamp, demoCode: z.optional(z.string()) });
export type CodeSent = z.infer<typeof CodeSent>;

export const CodeDigits = z
  .string({ error: reason('code_digits') })
  .check(z.regex(/^\d{6}$/, { error: reason('code_digits') }));
export const CodeEntry = z.object({ code: CodeDigits });

export const PinResetRequest = z.object({ username: Email });

/** `POST /api/pin-reset`: the answer is the same whether or not the email has an account. */
export const PinResetRequested = z.object({
  id: Id,
  expiresAt: Timestamp,
  /** The path of the link and the digits of the code, in demonstrations only. */
  demo: z.optional(z.object({ link: z.string(), code: z.string() })),
});
export type PinResetRequested = z.infer<typeof PinResetRequested>;

/** `POST /api/pin-reset/confirm`: `id` and `token` are in the link of the email, `code` is in the SMS. */
export const PinResetForm = z.object({
  id: Id,
  token: z.string({ error: reason('link_invalid') }).check(z.regex(/^[\w-]{43}$/, { error: reason('link_invalid') })),
  code: CodeDigits,
  newPin: Pin,
});
export type PinResetForm = z.infer<typeof PinResetForm>;
