import * as z from 'zod/mini';
import { Id, Timestamp } from '../http/common.ts';
import { CodeDigits } from '../http/contact-verification.ts';

/** `POST /internal/accounts/stop`: no money moves to or from a stopped account. */
export const AccountOfUser = z.object({ userId: Id });

/**
 * The account is stopped. It must be closed before `closeBefore`; otherwise transfers resumes it at `resumesAt`.
 * `resumesAt` is null if another attempt had stopped the account: this attempt must then not let it resume. Undefined
 * from the previous release.
 */
export const AccountStopped = z.object({ closeBefore: Timestamp, resumesAt: z.optional(z.nullable(Timestamp)) });

/**
 * `POST /internal/accounts/resume`. `stopped` is the `resumesAt` of the stop to end; if another attempt has joined this
 * stop, nothing happens. The previous release does not send it.
 */
export const AccountResuming = z.object({ userId: Id, stopped: z.optional(Timestamp) });

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
