import * as z from 'zod/mini';
import { LinkedAccount } from '../http/linked-accounts.ts';
import { Receipt } from '../http/transfers.ts';
import { Withdrawal } from '../http/withdrawals.ts';

/** `GET /internal/accounts/{userId}/linked-accounts`: also those that were removed. */
export const ExportedLinkedAccounts = z.object({ accounts: z.array(LinkedAccount) });

/** The query of the lists of an export; `cursor` is the last id of the page before. */
export const ExportPageQuery = z.object({ cursor: z.optional(z.uuid()) });

/** `GET /internal/accounts/{userId}/transfers` and `/withdrawals`, newest first; `nextCursor` is null at the end. */
export const ExportedTransfers = z.object({
  items: z.array(Receipt.shape.transaction),
  nextCursor: z.nullable(z.string()),
});
export const ExportedWithdrawals = z.object({ items: z.array(Withdrawal), nextCursor: z.nullable(z.string()) });
