import * as z from 'zod/mini';
import { allowed, reason } from '../texts/reason.ts';
import { Direction, PageLimit } from './common.ts';
import { Day } from './days.ts';
import { TransferStatus } from './transfers.ts';

const TransferStatusInput = z.enum(TransferStatus.options, {
  error: reason('status_unknown', allowed(TransferStatus.options)),
});

/** How the list of transfers can be filtered; `from` and `to` are days, both included. */
export const TransactionFilters = z.object({
  status: z.optional(TransferStatusInput),
  direction: z.optional(Direction),
  from: z.optional(Day),
  to: z.optional(Day),
  /** The beginning of a transaction ID, a part of a phone number, or an amount. */
  q: z.optional(
    z
      .string({ error: reason('search_not_text') })
      .check(
        z.trim(),
        z.minLength(1, { error: reason('search_impossible') }),
        z.maxLength(40, { error: reason('search_impossible') }),
      ),
  ),
});
export type TransactionFilters = z.infer<typeof TransactionFilters>;

/** The query of `GET /api/transactions`. */
export const TransactionsQuery = z.extend(TransactionFilters, {
  limit: PageLimit,
  cursor: z.optional(z.uuid({ error: reason('cursor_invalid') })),
});
