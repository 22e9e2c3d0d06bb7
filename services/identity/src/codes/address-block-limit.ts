import { addressBlockOf, networksOf } from '@vuka/service-kit/address-block';
import { AppError } from '@vuka/service-kit/app-error';
import type { Transaction } from '#db/schema.ts';
import { countWithin } from '#pins/window-count.ts';

const HOUR_MS = 3_600_000;
/** No email looks like this: the row of a network's codes. */
const CODES = 'codes that a network requests';

/**
 * How many codes one network may have sent per hour to unverified numbers, and how many PIN resets it may request. Each
 * SMS costs money, and new accounts are free: without this limit, a script that shares a phone company's profit could
 * have one sent for each account that it registers. A mobile network has many users behind one address.
 */
const MOST_PER_HOUR = 30;

/** Counts a request of a network, unless the transaction is rolled back. Throws rate_limited beyond the limit. */
export async function countRequest(
  trx: Transaction,
  { what, address, now }: { what: 'number' | 'reset'; address: string | undefined; now: Date },
): Promise<void> {
  for (const { network, times } of networksOf(addressBlockOf(address ?? ''))) {
    const row = { email: CODES, address: `${what} ${network}` };
    const limit = { most: MOST_PER_HOUR * times, windowMs: HOUR_MS };
    const retryAfterSeconds = await countWithin(trx, row, { ...limit, now });
    if (retryAfterSeconds > 0) throw new AppError('codes_too_many', { retryAfterSeconds });
  }
}
