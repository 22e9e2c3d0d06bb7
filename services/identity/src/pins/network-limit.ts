import { DAY_MS } from '@vuka/contracts/http/days';
import { networksOf } from '@vuka/service-kit/address-block';
import { AppError } from '@vuka/service-kit/app-error';
import type { Transaction } from '#db/schema.ts';
import type { UserRecord } from '#users/user.store.ts';
import { countWithin, takeBack } from './window-count.ts';

/** No email looks like this: the rows of a network's wrong sign-ins. */
const SIGN_INS = 'wrong sign-ins of a network';

/**
 * Wrong sign-ins of a network on devices that the accounts do not know, whatever the emails: otherwise it could try a
 * few PINs on each of any number of accounts. A mobile network has many users behind one address.
 */
const LIMITS = [
  { window: 'hour', windowMs: 3_600_000, most: 100 },
  { window: 'day', windowMs: DAY_MS, most: 300 },
] as const;

/** The rows that count a sign-in from an address block: of the block, and of its site. */
function countersOf(block: string) {
  return networksOf(block).flatMap(({ network, times }) =>
    LIMITS.map(({ window, windowMs, most }) => ({
      row: { email: SIGN_INS, address: `${window} ${network}` },
      limit: { windowMs, most: most * times },
    })),
  );
}

/** Counts a sign-in as wrong before its PIN is judged. Throws rate_limited beyond the limits. */
export async function countSignIn(trx: Transaction, block: string, now: Date): Promise<void> {
  for (const { row, limit } of countersOf(block)) {
    const retryAfterSeconds = await countWithin(trx, row, { ...limit, now });
    if (retryAfterSeconds > 0) throw new AppError('rate_limited', { retryAfterSeconds });
  }
}

/** How many wrong sign-ins of others a correct one cancels, besides the user's own: a mobile network's users mistype, too. */
const MISTYPED = 3;

/** After a right PIN. The rows stay locked until the transaction ends, so call it last. */
export async function uncountSignIn(trx: Transaction, block: string, others = 0): Promise<void> {
  for (const { row } of countersOf(block)) await takeBack(trx, row, 1 + others);
}

/**
 * How many wrong sign-ins of others this user's correct one cancels: `MISTYPED`, once a day per verified number, in any
 * network. By account, they would make room for any number of guesses, since accounts are free. So a SIM card makes room
 * for three guesses a day.
 */
export async function mistypedByOthers(trx: Transaction, user: UserRecord, now: Date): Promise<number> {
  if (!user.phone_verified_at) return 0;
  const row = { email: `${SIGN_INS}, taken back for ${user.phone_e164}`, address: '' };
  return (await countWithin(trx, row, { most: 1, windowMs: DAY_MS, now })) === 0 ? MISTYPED : 0;
}
