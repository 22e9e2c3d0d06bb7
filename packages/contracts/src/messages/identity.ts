import * as z from 'zod/mini';
import { Id, Timestamp } from '../http/common.ts';

export const SESSIONS_ENDED = 'identity.sessions-ended.v1';

/** Sessions of a user ended: by a block, a PIN change or a sign-out. */
export const SessionsEnded = z.object({ userId: Id, reason: z.enum(['blocked', 'pin_changed', 'signed_out']) });
export type SessionsEnded = z.infer<typeof SessionsEnded>;

export const CODE_ISSUED = 'identity.code-issued.v1';

/** A one-time code was issued and must be sent. The message has no digits: the sender asks identity for them. */
export const CodeIssued = z.object({
  codeId: Id,
  userId: Id,
  purpose: z.enum(['verify_phone', 'verify_email', 'reset_pin', 'close_account']),
  at: Timestamp,
});
export type CodeIssued = z.infer<typeof CodeIssued>;

export const EMAIL_TAKEN = 'identity.email-taken.v1';

/** Someone tried to register with the email address of this user. */
export const EmailTaken = z.object({ userId: Id, at: Timestamp });
export type EmailTaken = z.infer<typeof EmailTaken>;

export const PHONE_LOST = 'identity.phone-lost.v1';

/** Another account has verified the number that this user had verified. */
export const PhoneLost = z.object({ userId: Id, at: Timestamp });
export type PhoneLost = z.infer<typeof PhoneLost>;

export const PIN_CHANGED = 'identity.pin-changed.v1';

/** A user's PIN was changed in a session, or replaced without the former one. */
export const PinChanged = z.object({ userId: Id, how: z.enum(['changed', 'reset']), at: Timestamp });
export type PinChanged = z.infer<typeof PinChanged>;

export const SIGNED_IN = 'identity.signed-in.v1';

/** A user signed in with their PIN. Consumers ask identity for contact details: no address travels in a message. */
export const SignedIn = z.object({ userId: Id, at: Timestamp });
export type SignedIn = z.infer<typeof SignedIn>;

export const ACCOUNT_CLOSED = 'identity.account-closed.v1';

/** An account was closed for good. Each service erases what it holds about the person and need not keep. */
export const AccountClosed = z.object({ userId: Id, at: Timestamp });
export type AccountClosed = z.infer<typeof AccountClosed>;
