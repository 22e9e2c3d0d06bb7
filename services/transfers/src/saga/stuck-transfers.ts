import { LIST_SIZES } from '@vuka/contracts/http/list-sizes';
import { type RawBuilder, sql } from 'kysely';
import type { Db, TransferRow } from '#db/schema.ts';
import { WAITING_FOR_PERSON } from './transfer.domain.ts';

/**
 * Open for longer than this (ms), and not waiting for an administrator's decision. By the database's clock, as every
 * other wait: a worker whose clock is ahead would mark each transfer as stuck.
 */
export function isLate(stuckAfterMs: number): RawBuilder<boolean> {
  const steps = sql.join(WAITING_FOR_PERSON);
  return sql<boolean>`(coalesce(resumed_at, created_at) < books_now() - make_interval(secs => ${stuckAfterMs / 1_000})
    and step not in (${steps}))`;
}

/**
 * A literal, because a plan is made once for all parameters: with a parameter, it could not use the index of open
 * transfers.
 */
export const isOpen = sql<boolean>`is_open`;

/** Transfers with a waiting reason, or open for longer than `stuckAfterMs`. */
export function stuckTransfers(db: Db, stuckAfterMs: number) {
  return db
    .selectFrom('transactions')
    .where(isOpen)
    .where((where) => where.or([where('waiting_reason', 'is not', null), isLate(stuckAfterMs)]));
}

/** The oldest 500 stuck transfers, oldest first. */
export function listStuckTransfers(db: Db, stuckAfterMs: number): Promise<TransferRow[]> {
  return stuckTransfers(db, stuckAfterMs).selectAll().orderBy('id').limit(LIST_SIZES.stuckTransfers).execute();
}
