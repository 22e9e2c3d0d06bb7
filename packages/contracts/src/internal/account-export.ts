import * as z from 'zod/mini';
import { ExportedRecords } from '../http/account-export.ts';
import { LinkedAccount } from '../http/linked-accounts.ts';
import { Receipt } from '../http/transfers.ts';
import { Withdrawal } from '../http/withdrawals.ts';

/** `GET /internal/accounts/{userId}/linked-accounts`: also those that were paid and removed; a thousand at most. */
export const ExportedLinkedAccounts = z.object({ accounts: z.array(LinkedAccount) });

/** The query of the lists of an export; `cursor` is the last id of the page before. */
export const ExportPageQuery = z.object({ cursor: z.optional(z.uuid()) });

/** `GET /internal/accounts/{userId}/transfers` and `/withdrawals`, newest first; `nextCursor` is null at the end. */
export const ExportedTransfers = z.object({
  items: z.array(Receipt.shape.transaction),
  nextCursor: z.nullable(z.string()),
});
export const ExportedWithdrawals = z.object({ items: z.array(Withdrawal), nextCursor: z.nullable(z.string()) });

/**
 * `GET /internal/accounts/{userId}/records`. With `paged`, `messages` is only the first page, and `nextCursor` leads to
 * the others. A process of the previous release ignores `paged`, and answers with all messages and without
 * `nextCursor`.
 */
export const RecordsQuery = z.object({ paged: z.optional(z.literal('true')) });
export const PagedRecords = z.extend(ExportedRecords, { nextCursor: z.optional(z.nullable(z.string())) });

/** `GET /internal/accounts/{userId}/messages`, oldest first; `nextCursor` is null at the end. */
export const ExportedMessages = z.object({
  items: ExportedRecords.shape.messages,
  nextCursor: z.nullable(z.string()),
});
