import { addressBlockOf } from '@vuka/service-kit/address-block';
import { AppError } from '@vuka/service-kit/app-error';
import { sql } from 'kysely';
import type { Transaction } from '#db/schema.ts';
import { NO_ATTEMPTS } from '#pins/pin-lock.domain.ts';
import { readStrangerAttempts, writeStrangerAttempts } from '#pins/stranger-attempts.store.ts';

const HOUR_MS = 3_600_000;
/** No email looks like this: the row of a network's codes. */
const CODES = 'codes that a network requests';

/**
 * Codes within an hour that one network may have sent to numbers nobody has verified, and PIN resets that it may
 * request. Each SMS costs money, and new accounts are free: without a bound per network, a script that shares the
 * profit of a phone company could have as many sent as it registers accounts. A mobile network has many users behind
 * one address.
 */
const MOST_PER_HOUR = 30;

/** Counts a request of a network; one that is rolled back is not counted. Throws rate_limited beyond the bound. */
export async function countRequest(
  trx: Transaction,
  { what, address, now }: { what: 'number' | 'reset'; address: string | undefined; now: Date },
): Promise<void> {
  const row = { email: CODES, address: `${what} ${addressBlockOf(address ?? '')}` };
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${CODES} ${row.address}`}, 0))`.execute(trx);
  // The row's time is the beginning of its hour.
  const { failedAttempts, updatedAt } = await readStrangerAttempts(trx, row);
  const endsInMs = updatedAt ? updatedAt.getTime() + HOUR_MS - now.getTime() : 0;
  const hour = updatedAt && endsInMs > 0 ? { count: failedAttempts, begin: updatedAt } : { count: 0, begin: now };
  if (hour.count >= MOST_PER_HOUR) {
    throw new AppError('codes_too_many', { retryAfterSeconds: Math.ceil(endsInMs / 1_000) });
  }
  await writeStrangerAttempts(trx, row, { ...NO_ATTEMPTS, failedAttempts: hour.count + 1 }, hour.begin);
}
