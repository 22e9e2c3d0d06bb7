import { sql } from 'kysely';
import type { Transaction } from '#db/schema.ts';
import { NO_ATTEMPTS, withoutAttempts } from './pin-lock.domain.ts';
import { readStrangerAttempts, type Strangers, writeStrangerAttempts } from './stranger-attempts.store.ts';

/**
 * Counts one event, unless there were too many in the window that began with the first one. Returns the seconds to
 * wait; 0 if it was counted. A rollback takes the count back. The row looks like failed sign-ins with an email that
 * does not exist.
 */
export async function countWithin(
  trx: Transaction,
  row: Strangers,
  { most, windowMs, now }: { most: number; windowMs: number; now: Date },
): Promise<number> {
  await lockRow(trx, row);
  // The row's time is the beginning of its window.
  const { failedAttempts, updatedAt } = await readStrangerAttempts(trx, row);
  const endsInMs = updatedAt ? updatedAt.getTime() + windowMs - now.getTime() : 0;
  const window = updatedAt && endsInMs > 0 ? { count: failedAttempts, begin: updatedAt } : { count: 0, begin: now };
  if (window.count >= most) return Math.ceil(endsInMs / 1_000);
  await writeStrangerAttempts(trx, row, { ...NO_ATTEMPTS, failedAttempts: window.count + 1 }, window.begin);
  return 0;
}

/** Takes back so many events that were counted. */
export async function takeBack(trx: Transaction, row: Strangers, events: number): Promise<void> {
  await lockRow(trx, row);
  const { updatedAt, ...counted } = await readStrangerAttempts(trx, row);
  if (updatedAt) await writeStrangerAttempts(trx, row, withoutAttempts(counted, events), updatedAt);
}

async function lockRow(trx: Transaction, { email, address }: Strangers): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${email} ${address}`}, 0))`.execute(trx);
}
