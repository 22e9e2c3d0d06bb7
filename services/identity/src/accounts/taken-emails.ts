import { DAY_MS } from '@vuka/contracts/http/days';
import { EMAIL_TAKEN, type EmailTaken } from '@vuka/contracts/messages/identity';
import { addressBlockOf } from '@vuka/service-kit/address-block';
import { AppError } from '@vuka/service-kit/app-error';
import { sql } from 'kysely';
import type { Transaction } from '#db/schema.ts';
import { inNetworkQueue } from '#pins/network-queue.ts';
import { afterWrongPin, lockedForSeconds, NO_ATTEMPTS } from '#pins/pin-lock.domain.ts';
import { readStrangerAttempts, writeStrangerAttempts } from '#pins/stranger-attempts.store.ts';
import { announce } from '#users/announce.ts';
import { findUserByEmail, type UserRecord } from '#users/user.store.ts';
import type { SignInDeps } from './sign-in.ts';

type Deps = Pick<SignInDeps, 'db' | 'serial' | 'now' | 'pause'>;

const HOUR_MS = 3_600_000;
/** Different taken addresses that one network may try; a company or a mobile network has many users. */
const MOST_TAKEN = 20;
const PAUSE_MS = 1_000;
/**
 * Cannot be an email. Names the row that counts a network's registrations, and the "address" of an owner's last
 * notification.
 */
const REGISTRATIONS = 'registrations with taken addresses';

const countOf = (address: string) => ({ email: REGISTRATIONS, address: addressBlockOf(address) });
const tryOf = (email: string, address: string) => ({ email, address: `${REGISTRATIONS} ${addressBlockOf(address)}` });

/**
 * Throws email_taken if an account has the address, and rate_limited, whatever the address, while a network has tried too
 * many taken ones: refusing only taken ones would reveal which these are. Looks, counts and refuses under one lock, so that
 * a burst learns no more.
 */
export async function refuseTaken(deps: Deps, email: string, address: string): Promise<void> {
  if (!(await inNetworkQueue(deps, address, () => isTaken(deps, email, address)))) return;
  // So that lists of addresses cannot be tried quickly.
  await deps.pause(PAUSE_MS);
  throw new AppError('email_taken');
}

function isTaken({ db, now }: Deps, email: string, address: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`taken ${addressBlockOf(address)}`}, 0))`.execute(trx);
    const retryAfterSeconds = lockedForSeconds(await readStrangerAttempts(trx, countOf(address)), now());
    if (retryAfterSeconds > 0) throw new AppError('rate_limited', { retryAfterSeconds });
    const owner = await findUserByEmail(trx, email);
    if (!owner) return false;
    await count(trx, email, address, now());
    await notifyOwner(trx, owner, now());
    return true;
  });
}

/** The same address again says nothing new, so it counts once an hour. */
async function count(trx: Transaction, email: string, address: string, now: Date): Promise<void> {
  const isRecent = (at: Date | undefined) => at !== undefined && now.getTime() - at.getTime() <= HOUR_MS;
  const { updatedAt: triedAt } = await readStrangerAttempts(trx, tryOf(email, address));
  if (isRecent(triedAt)) return;
  await writeStrangerAttempts(trx, tryOf(email, address), NO_ATTEMPTS, now);
  const { updatedAt, ...attempts } = await readStrangerAttempts(trx, countOf(address));
  const counted = afterWrongPin(isRecent(updatedAt) ? attempts : NO_ATTEMPTS, MOST_TAKEN, now);
  await writeStrangerAttempts(trx, countOf(address), counted, now);
}

/** At most once a day. */
async function notifyOwner(trx: Transaction, owner: UserRecord, now: Date): Promise<void> {
  const notice = { email: owner.email, address: REGISTRATIONS };
  const { updatedAt } = await readStrangerAttempts(trx, notice);
  if (updatedAt && now.getTime() - updatedAt.getTime() < DAY_MS) return;
  await announce<EmailTaken>(trx, EMAIL_TAKEN, { userId: owner.id, at: now.toISOString() });
  await writeStrangerAttempts(trx, notice, NO_ATTEMPTS, now);
}
