import * as z from 'zod/mini';
import { DepositCurrency, ErrorBody, Id, Money, Timestamp } from '../http/common.ts';
import { fitDirection } from '../http/direction-amounts.ts';
import { PayoutTotals } from '../http/failure-lab.ts';
import { VolumeDay } from '../http/merchants.ts';
import { CreateTransfer } from '../http/orders.ts';
import { TransactionsQuery } from '../http/transaction-filters.ts';
import { Receipt, TransactionListItem } from '../http/transfers.ts';

/** One order of `POST /internal/transfers/create-batch`, without the PIN, which was checked before. */
export const TransferOrder = z.object({
  /** The sender's caller token. */
  caller: z.string(),
  order: fitDirection(z.omit(z.object(CreateTransfer.shape), { pin: true, metadata: true })),
});
export type TransferOrder = z.infer<typeof TransferOrder>;

export const TransferOrders = z.object({ items: z.array(TransferOrder).check(z.minLength(1), z.maxLength(500)) });

export const TransferOrderResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), created: z.boolean(), transaction: Receipt.shape.transaction }),
  z.object({
    ok: z.literal(false),
    code: ErrorBody.shape.code,
    message: z.string(),
    reason: ErrorBody.shape.reason,
    params: ErrorBody.shape.params,
    retryAfterSeconds: z.optional(z.number()),
    /** How long new orders are refused, ms, because of an overload. */
    closedForMs: z.optional(z.number()),
    details: z.record(z.string(), z.unknown()),
  }),
]);
export type TransferOrderResult = z.infer<typeof TransferOrderResult>;

export const TransferOrderResults = z.object({ results: z.array(TransferOrderResult) });

/** `GET /internal/transfers`: the public query with moments instead of days. */
export const TransfersQuery = z.extend(z.omit(TransactionsQuery, { from: true, to: true }), {
  from: z.optional(Timestamp),
  before: z.optional(Timestamp),
});
/** `nextCursor` is null on the last page. */
export const TransferPage = z.object({ items: z.array(TransactionListItem), nextCursor: z.nullable(z.string()) });

/** `POST /internal/transfers/find-batch`: those that the caller sent or received. */
export const TransferIds = z.object({ ids: z.array(Id).check(z.minLength(1), z.maxLength(500)) });
export const TransferItems = z.object({ items: z.array(TransactionListItem) });

/** `GET /internal/users/{id}/volumes` */
export const UserVolumes = z.object({ days: z.array(VolumeDay) });

/** `POST /internal/deposits`: money from outside for a user's wallet. A repeated key is the same movement. */
export const DepositOrder = z.object({
  key: z.string().check(z.minLength(8), z.maxLength(100)),
  userId: Id,
  currency: DepositCurrency,
  amount: Money,
  /** The user id of the administrator. */
  adminId: Id,
  description: z.string().check(z.minLength(1), z.maxLength(500)),
});
export type DepositOrder = z.infer<typeof DepositOrder>;

export const DepositDone = z.object({ transactionId: Id });

/** `GET /internal/payout-totals`: every payout of the current provider, from our books. */
export const BookedPayouts = z.object({ totals: z.array(PayoutTotals) });

/** A provider's request as it arrived, to be verified over its raw bytes. */
export const ProviderCallback = z.object({
  provider: z.string(),
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  bodyBase64: z.string(),
});
export type ProviderCallback = z.infer<typeof ProviderCallback>;

/** `POST /internal/provider-callbacks-batch` */
export const ProviderCallbacks = z.object({ items: z.array(ProviderCallback).check(z.minLength(1), z.maxLength(500)) });

/** How to answer the provider: 503 if it has to send the callback again. */
export const CallbackAnswer = z.object({ status: z.int(), body: z.optional(z.unknown()) });
export type CallbackAnswer = z.infer<typeof CallbackAnswer>;
export const CallbackAnswers = z.object({ results: z.array(CallbackAnswer) });
