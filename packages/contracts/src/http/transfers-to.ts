import { wholePhones } from '@vuka/money/whole-phones';
import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { PageLimit } from './common.ts';

/** The query of `GET /api/admin/transactions`: the transactions to one phone number, for administrators. */
export const TransfersToQuery = z.object({
  /** A whole number, as people write it: +255 763 456 789, 255763456789, or 0763 456 789 in any country. */
  recipient: z
    .string({ error: reason('recipient_not_whole') })
    .check(z.refine((text) => wholePhones(text).length > 0, { error: reason('recipient_not_whole') })),
  limit: PageLimit,
  cursor: z.optional(z.uuid({ error: reason('cursor_invalid') })),
});
