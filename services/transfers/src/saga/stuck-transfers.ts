import { type RawBuilder, sql } from 'kysely';
import type { Db, TransferRow } from '#db/schema.ts';
import { WAITING_FOR_PERSON } from './transfer.domain.ts';

/** A transfer that has been on its way since before a moment, and that nobody has to decide on. */
export function isLate(openSince: Date): RawBuilder<boolean> {
  const steps = sql.join(WAITING_FOR_PERSON);
  return sql<boolean>`(coalesce(resumed_at, created_at) < ${openSince} and step not in (${steps}))`;
}

/** Transfers that wait with a reason, or have been open for longer than they should. */
export function stuckTransfers(db: Db, openSince: Date) {
  return db
    .selectFrom('transactions')
    .where('is_open', '=', true)
    .where((where) => where.or([where('waiting_reason', 'is not', null), isLate(openSince)]));
}

/** The oldest 500 of them, oldest first. */
export function listStuckTransfers(db: Db, openSince: Date): Promise<TransferRow[]> {
  return stuckTransfers(db, openSince).selectAll().orderBy('id').limit(500).execute();
}
