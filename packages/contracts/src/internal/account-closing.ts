import * as z from 'zod/mini';
import { Id, Timestamp } from '../http/common.ts';
import { CodeDigits } from '../http/contact-verification.ts';

/** `POST /internal/accounts/stop` and `/internal/accounts/resume`: no money moves to or from a stopped account. */
export const AccountOfUser = z.object({ userId: Id });

/** The account is stopped. It resumes by itself unless it is closed before this moment. */
export const AccountStopped = z.object({ closeBefore: Timestamp });

/** `GET /internal/accounts/{userId}/state`. */
export const AccountState = z.object({ isClosed: z.boolean(), isBlocked: z._default(z.boolean(), false) });

/** `POST /internal/accounts/close`. An administrator gives a reason; the merchant gives the code, if there is one. */
export const AccountClosing = z.object({
  userId: Id,
  before: Timestamp,
  code: z.optional(CodeDigits),
  reason: z.optional(z.string()),
});
export type AccountClosing = z.infer<typeof AccountClosing>;
