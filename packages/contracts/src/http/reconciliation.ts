import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Id, Money, PinConfirmation, Timestamp, WalletCurrency } from './common.ts';
import { Day } from './days.ts';

/** One comparison of a day's payouts with the provider's statement. */
export const Reconciliation = z.object({
  id: Id,
  day: Day,
  provider: z.string(),
  state: z.enum(['running', 'completed', 'failed']),
  startedAt: Timestamp,
  finishedAt: z.nullable(Timestamp),
  /** Payments on the day's statement. */
  lines: z.nullable(z.int()),
  matched: z.nullable(z.int()),
  /** Payments whose payouts were still open; they are compared when these have ended. */
  waiting: z._default(z.nullable(z.int()), null),
  differences: z.nullable(z.int()),
  /** Why the run could not be completed. */
  error: z.nullable(z.string()),
  /** Null for the daily run. */
  requestedBy: z.nullable(z.string()),
});
export type Reconciliation = z.infer<typeof Reconciliation>;

/**
 * A contradiction between a provider's report and our books. It moves no money; an administrator investigates and
 * records what was done.
 */
export const PayoutException = z.object({
  id: Id,
  kind: z.string(),
  /** Null if the books do not know the payout. */
  transactionId: z.nullable(Id),
  /** The provider's id for the payout. */
  payoutId: Id,
  /** Its transfer stays open, and the money reserved, until an administrator records how the payout ended. */
  holdsTransfer: z.boolean(),
  details: z.record(z.string(), z.unknown()),
  createdAt: Timestamp,
  /** When the provider last reported it. */
  lastSeenAt: Timestamp,
  state: z.enum(['open', 'resolved']),
  /** The name of the administrator who handles it, or who has resolved it. */
  owner: z.nullable(z.string()),
  ownerId: z._default(z.nullable(z.string()), null),
  isOwnedByCaller: z._default(z.boolean(), false),
  note: z.nullable(z.string()),
  resolvedAt: z.nullable(Timestamp),
});
export type PayoutException = z.infer<typeof PayoutException>;

/** The float of one currency, compared with the provider's balance. */
export const PayoutFloat = z.object({
  currency: WalletCurrency,
  /** By our books, before payouts under way are deducted. */
  booked: Money,
  underWay: Money,
  providerBalance: Money,
  /** How far the provider's balance lies outside of what the books allow; positive: the provider has more. */
  difference: Money,
  /** Null while the balance is in that range. */
  differsSince: z.nullable(Timestamp),
  comparedAt: Timestamp,
});
export type PayoutFloat = z.infer<typeof PayoutFloat>;

/** `GET /api/admin/reconciliation`: the last runs, newest first, and the exceptions, open ones first. */
export const ReconciliationOverview = z.object({
  runs: z.array(Reconciliation),
  exceptions: z.array(PayoutException),
  /** The number of open exceptions; the list ends at 200. */
  openExceptions: z.int(),
  /** Empty until the first comparison. */
  floats: z._default(z.array(PayoutFloat), []),
});
export type ReconciliationOverview = z.infer<typeof ReconciliationOverview>;

/** `POST /api/admin/reconciliation/runs` */
export const RequestReconciliation = z.object({ day: Day });

/**
 * A claim to handle an exception. To take it over from another administrator, `takenFrom` names the `ownerId` that the
 * caller was shown: of two who take it over at the same time, only one handles it.
 */
export const ExceptionClaim = z.object({ takenFrom: z.nullish(z.string()) });
export type ExceptionClaim = z.infer<typeof ExceptionClaim>;

/** `POST /api/admin/reconciliation/exceptions/{id}/take` */
export const TakeException = z.nullish(ExceptionClaim);

/** What was found and done about an exception, and how the payout ended, if its transfer waits for that. */
export const ExceptionResolution = z.object({
  outcome: z.optional(z.enum(['paid', 'not_paid'])),
  /** The exception's `details` as the administrator saw them. Refused with changed_meanwhile if they are others by now. */
  seen: z.optional(z.record(z.string(), z.unknown())),
  note: z
    .string({ error: reason('resolution_missing') })
    .check(
      z.trim(),
      z.minLength(1, { error: reason('resolution_missing') }),
      z.maxLength(500, { error: reason('resolution_too_long', { max: 500 }) }),
    ),
});
export type ExceptionResolution = z.infer<typeof ExceptionResolution>;

/** `POST /api/admin/reconciliation/exceptions/{id}/resolve` */
export const ResolveException = z.extend(ExceptionResolution, PinConfirmation.shape);
