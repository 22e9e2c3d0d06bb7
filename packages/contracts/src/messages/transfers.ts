import * as z from 'zod/mini';
import { Id, Money, Timestamp } from '../http/common.ts';
import { TransferStatus } from '../http/transfers.ts';

export const EXECUTE_TRANSFER = 'transfer.execute.v1';
export const RETRY_TRANSFER = 'transfer.retry.v1';

export const TRANSFER_CREATED = 'transfer.created.v1';
export const TRANSFER_PROCESSING = 'transfer.processing.v1';
export const TRANSFER_WAITING = 'transfer.waiting.v1';
export const TRANSFER_SETTLED = 'transfer.settled.v1';
export const TRANSFER_FAILED = 'transfer.failed.v1';

/** A command to carry out a transfer. */
export const ExecuteTransfer = z.object({ transferId: Id });
export type ExecuteTransfer = z.infer<typeof ExecuteTransfer>;

/** A command to retry a waiting transfer. The provider is asked first, so it cannot be paid twice. */
export const RetryTransfer = z.object({ transferId: Id, retryId: Id });
export type RetryTransfer = z.infer<typeof RetryTransfer>;

/** A transfer's new status: the data of the five events above. */
export const TransferChanged = z.object({
  transferId: Id,
  type: z.enum(['transfer', 'deposit', 'withdrawal', 'exchange']),
  status: TransferStatus,
  reason: z.nullable(z.string()),
  userId: Id,
  recipientUserId: z.nullable(Id),
  sourceAmount: Money,
  sourceCurrency: z.string(),
  targetAmount: Money,
  targetCurrency: z.string(),
  at: Timestamp,
});
export type TransferChanged = z.infer<typeof TransferChanged>;
