import * as z from 'zod/mini';
import { DepositCurrency, Direction, Id, Money, TextCodes, Timestamp } from './common.ts';

export const TransferStatus = z.enum(['PENDING', 'PROCESSING', 'SETTLED', 'FAILED', 'CANCELLED']);
export type TransferStatus = z.infer<typeof TransferStatus>;

/** A transfer as the list shows it. `direction` is null if both currencies are the same. */
export const TransactionListItem = z.object({
  id: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  sourceAmount: Money,
  sourceCurrency: DepositCurrency,
  targetAmount: Money,
  targetCurrency: DepositCurrency,
  exchangeRate: z.nullable(z.string()),
  direction: z.nullable(Direction),
  recipientPhone: z.nullable(z.string()),
  status: TransferStatus,
  metadata: z.object({
    isAdminCredit: z.boolean(),
    transactionType: z.enum(['CREDIT', 'DEBIT']),
  }),
});
export type TransactionListItem = z.infer<typeof TransactionListItem>;

export const Receipt = z.object({
  transaction: z.object({
    id: Id,
    type: z.enum(['transfer', 'deposit', 'withdrawal', 'exchange']),
    created_at: Timestamp,
    updated_at: Timestamp,
    source_amount: Money,
    source_currency: DepositCurrency,
    target_amount: Money,
    target_currency: DepositCurrency,
    exchange_rate: z.nullable(z.string()),
    fee: Money,
    direction: z.nullable(Direction),
    status: TransferStatus,
    status_reason: z.nullable(z.string()),
    status_reason_codes: z.optional(TextCodes),
    metadata: z.object({
      recipientPhone: z.nullable(z.string()),
      /** Of a merchant who was paid, only the recipient reads the name in full: for others it is like "Zawadi M.". */
      recipientName: z.nullable(z.string()),
      /** The masked bank account of a withdrawal; null for a phone. */
      recipientAccount: z.nullable(z.string()),
      clientTransactionId: z.nullable(z.string()),
      isAdminCredit: z.boolean(),
      transactionType: z.enum(['CREDIT', 'DEBIT']),
    }),
  }),
});
export type Receipt = z.infer<typeof Receipt>;

export const Timeline = z.object({
  timeline: z.array(
    z.object({
      status: TransferStatus,
      notes: z.nullable(z.string()),
      /** The codes of `notes`; missing for entries of earlier releases. */
      codes: z.optional(TextCodes),
      timestamp: Timestamp,
    }),
  ),
});
export type Timeline = z.infer<typeof Timeline>;
