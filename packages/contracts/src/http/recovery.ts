import * as z from 'zod/mini';
import { DepositCurrency, Id, Money, TextCodes, Timestamp } from './common.ts';
import { IntegrationLog } from './integration-logs.ts';
import { Receipt, TransferStatus } from './transfers.ts';

/** The state of one leg of a transfer: `waiting` has begun and has no outcome, `not_needed` will never begin. */
const LegState = z.enum(['done', 'waiting', 'not_begun', 'failed', 'not_needed']);
export type LegState = z.infer<typeof LegState>;

/** The legs of a transfer, in order. */
export const Legs = z.object({
  /** The sender's money is reserved. */
  held: LegState,
  /** The payout is stored, with the id that makes the provider carry it out only once. */
  payoutWritten: LegState,
  providerAsked: LegState,
  providerPaid: LegState,
  /** The money left the sender's wallet. */
  captured: LegState,
  /** The money went back to the sender. */
  released: LegState,
});
export type Legs = z.infer<typeof Legs>;

const Payout = z.object({
  id: Id,
  provider: z.string(),
  state: z.string(),
  requestsSent: z.int(),
  lastSentAt: z.nullable(Timestamp),
  failureCode: z.nullable(z.string()),
  providerReference: z.nullable(z.string()),
});

/** One retry by an administrator. `succeeded` is null until its outcome is known. */
const Retry = z.object({
  id: Id,
  adminId: z.string(),
  createdAt: Timestamp,
  finishedAt: z.nullable(Timestamp),
  result: z.nullable(z.string()),
  resultCodes: z.optional(TextCodes),
  succeeded: z.nullable(z.boolean()),
});

/** The part that transfers knows; see `RecoveryPreview`. */
export const RecoveryState = z.object({
  transaction: Receipt.shape.transaction,
  /** The account of the sender; for a deposit, of the receiver. */
  accountId: Id,
  legs: Legs,
  payout: z.nullable(Payout),
  /** When a recipient who is a merchant was paid into their wallet. */
  paidIntoWalletAt: z.nullable(Timestamp),
  retries: z.array(Retry),
  isRetryable: z.boolean(),
  /** When Vuka next looks at it; null for a transfer that has ended. */
  nextLookAt: z.nullable(Timestamp),
});
export type RecoveryState = z.infer<typeof RecoveryState>;

/**
 * `GET /api/admin/transactions/{id}/recovery`. `lastCall` is null if there was none, or the answer did not arrive in
 * time.
 */
export const RecoveryPreview = z.extend(RecoveryState, { lastCall: z.nullable(IntegrationLog) });
export type RecoveryPreview = z.infer<typeof RecoveryPreview>;

/** `POST /api/admin/transactions/{id}/recovery/inquire`: the provider's current answer. It changes nothing. */
export const ProviderInquiry = z.object({
  askedAt: Timestamp,
  answer: z.enum(['found', 'not_found', 'no_clear_answer']),
  state: z.nullable(z.string()),
  failureCode: z.nullable(z.string()),
  detail: z.nullable(z.string()),
});
export type ProviderInquiry = z.infer<typeof ProviderInquiry>;

/** `GET /api/admin/stuck-transactions` */
export const StuckTransactions = z.object({
  stuckTransactions: z.array(
    z.object({
      transaction: z.object({
        id: Id,
        createdAt: Timestamp,
        updatedAt: Timestamp,
        sourceAmount: Money,
        sourceCurrency: DepositCurrency,
        targetAmount: Money,
        targetCurrency: DepositCurrency,
        status: TransferStatus,
        statusReason: z.nullable(z.string()),
        statusReasonCodes: z.optional(TextCodes),
        recipientPhone: z.nullable(z.string()),
      }),
    }),
  ),
});
