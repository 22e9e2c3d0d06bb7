import * as z from 'zod/mini';
import { Id, Timestamp } from './common.ts';
import { IntegrationLog } from './integration-logs.ts';
import { Receipt } from './transfers.ts';

/** How far one leg of a transfer is: `waiting` has begun and has no outcome, `not_needed` will never be. */
const LegState = z.enum(['done', 'waiting', 'not_begun', 'failed', 'not_needed']);
export type LegState = z.infer<typeof LegState>;

/** The legs of a transfer, in their order. */
export const Legs = z.object({
  /** The sender's money is reserved. */
  held: LegState,
  /** What the provider is to do is written down, with the id that it does it once for. */
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

/** One retry that an administrator asked for. `succeeded` is null until its outcome is known. */
const Retry = z.object({
  id: Id,
  adminId: z.string(),
  createdAt: Timestamp,
  finishedAt: z.nullable(Timestamp),
  result: z.nullable(z.string()),
  succeeded: z.nullable(z.boolean()),
});

/** What transfers knows: see `RecoveryPreview`. */
export const RecoveryState = z.object({
  transaction: Receipt.shape.transaction,
  legs: Legs,
  payout: z.nullable(Payout),
  /** When a recipient who is a merchant was paid into their wallet. */
  paidIntoWalletAt: z.nullable(Timestamp),
  retries: z.array(Retry),
  isRetryable: z.boolean(),
  /** When it is looked at again by itself; null for one that has ended. */
  nextLookAt: z.nullable(Timestamp),
});
export type RecoveryState = z.infer<typeof RecoveryState>;

/**
 * `GET /api/admin/transactions/{id}/recovery`. `lastCall` is null where there was none, or nobody could say in time.
 */
export const RecoveryPreview = z.extend(RecoveryState, { lastCall: z.nullable(IntegrationLog) });
export type RecoveryPreview = z.infer<typeof RecoveryPreview>;

/**
 * `POST /api/admin/transactions/{id}/recovery/inquire`: what the provider says now. Nothing follows from it by itself.
 */
export const ProviderInquiry = z.object({
  askedAt: Timestamp,
  answer: z.enum(['found', 'not_found', 'no_clear_answer']),
  state: z.nullable(z.string()),
  failureCode: z.nullable(z.string()),
  detail: z.nullable(z.string()),
});
export type ProviderInquiry = z.infer<typeof ProviderInquiry>;
