import { sql } from 'kysely';
import type { Transaction } from '#db/schema.ts';
import { NO_ATTEMPTS } from './pin-lock.domain.ts';
import { readStrangerAttempts, type Strangers, writeStrangerAttempts } from './stranger-attempts.store.ts';

/**
 * Counts one more of something, unless there were too many within a time that began with the first of them. Returns the
 * seconds to wait; 0 if it was counted. One that is rolled back is not counted. The row looks like failed sign-ins with an
 * email that does not exist.
 */
export async function countWithin(
  trx: Transaction,
  row: Strangers,
  { most, windowMs, now }: { most: number; windowMs: number; now: Date },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${row.email} ${row.address}`}, 0))`.execute(trx);
  // The row's time is the beginning of its window.
  const { failedAttempts, updatedAt } = await readStrangerAttempts(trx, row);
  const endsInMs = updatedAt ? updatedAt.getTime() + windowMs - now.getTime() : 0;
  const window = updatedAt && endsInMs > 0 ? { count: failedAttempts, begin: updatedAt } : { count: 0, begin: now };
  if (window.count >= most) return Math.ceil(endsInMs / 1_000);
  await writeStrangerAttempts(trx, row, { ...NO_ATTEMPTS, failedAttempts: window.count + 1 }, window.begin);
  return 0;
}
