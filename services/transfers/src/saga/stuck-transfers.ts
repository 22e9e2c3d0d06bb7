import { LIST_SIZES } from '@vuka/contracts/http/list-sizes';
import { type RawBuilder, sql } from 'kysely';
import type { Db, TransferRow } from '#db/schema.ts';
import { WAITING_FOR_PERSON } from './transfer.domain.ts';

/** Open since before the given moment, and not waiting for an administrator's decision. */
export function isLate(openSince: Date): RawBuilder<boolean> {
  const steps = sql.join(WAITING_FOR_PERSON);
  return sql<boolean>`(coalesce(resumed_at, created_at) < ${openSince} and step not in (${steps}))`;
}

/**
 * A literal, because a plan is made once for all parameters: with a parameter, it could not use the index of open
 * transfers.
 */
export const isOpen = sql<boolean>`is_open`;

/** Transfers with a waiting reason, or open for longer than they should be. */
export function stuckTransfers(db: Db, openSince: Date) {
  return db
    .selectFrom('transactions')
    .where(isOpen)
    .where((where) => where.or([where('waiting_reason', 'is not', null), isLate(openSince)]));
}

/** The oldest 500 stuck transfers, oldest first. */
export function listStuckTransfers(db: Db, openSince: Date): Promise<TransferRow[]> {
  return stuckTransfers(db, openSince).selectAll().orderBy('id').limit(LIST_SIZES.stuckTransfers).execute();
}
