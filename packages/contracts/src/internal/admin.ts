import * as z from 'zod/mini';
import { AuditTrailQuery } from '../http/audit-trail.ts';
import { Timestamp } from '../http/common.ts';
import { CreditBalanceResult, LargeCredit, LargeCreditAnswer } from '../http/credits.ts';
import { AdminDepositResult } from '../http/deposits.ts';

/** `GET /internal/deposits/recent-count`: an administrator's deposits of the last days. */
export const DepositCount = z.object({ count: z.int(), days: z.int() });

/** `GET /internal/audit-trail`: the public query with moments instead of days. */
export const AuditTrailSearch = z.extend(z.omit(AuditTrailQuery, { from: true, to: true }), {
  from: z.optional(Timestamp),
  before: z.optional(Timestamp),
});
export type AuditTrailSearch = z.infer<typeof AuditTrailSearch>;

/** `POST /internal/credits`: booked at once, or waiting for another administrator. */
export const CreditTaken = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('credited'), credit: CreditBalanceResult }),
  z.object({ kind: z.literal('waiting'), credit: LargeCredit }),
]);
export type CreditTaken = z.infer<typeof CreditTaken>;

/** `POST /internal/deposits`: booked at once, or waiting for another administrator. */
export const DepositTaken = z.union([AdminDepositResult, LargeCreditAnswer]);
