import * as z from 'zod/mini';
import { Id, Timestamp } from './common.ts';
import { TransferStatus } from './transfers.ts';

/**
 * The data of an `event: transaction` on `GET /api/events`. Balances change as well: refetch them. The events of one
 * transaction come from several processes and have no guaranteed order: read its current status from the transaction.
 */
export const TransactionChanged = z.object({ transactionId: Id, status: TransferStatus, at: Timestamp });
export type TransactionChanged = z.infer<typeof TransactionChanged>;

/** The names of the server-sent events; `balances` and `session` carry `{}`. After `session`, refetch `/api/user`. */
export const EVENT_NAMES = ['transaction', 'balances', 'session'] as const;
