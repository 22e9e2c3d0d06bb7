import * as z from 'zod/mini';
import { Timestamp } from './common.ts';

/** `GET /api/admin/ledger/audit`: each invariant, what was checked and violated, and when it last held. */
export const LedgerAudit = z.object({
  holds: z.boolean(),
  checkedAt: Timestamp,
  invariants: z.array(
    z.object({
      id: z.string(),
      statement: z.string(),
      checked: z.int(),
      violations: z.int(),
      lastHeldAt: z.nullable(Timestamp),
    }),
  ),
});
export type LedgerAudit = z.infer<typeof LedgerAudit>;
