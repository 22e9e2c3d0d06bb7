import { AppError } from '@vuka/service-kit/app-error';
import type { Db, Transaction } from '#db/schema.ts';
import { lockPinChecks, NO_USER_ID, type UserRecord } from '#users/user.store.ts';
import { readAccountAttempts, writeAccountAttempts } from './account-attempts.store.ts';
import { countSignIn, mistypedByOthers, uncountSignIn } from './network-limit.ts';
import { afterWrongPin, lockedForSeconds, NO_ATTEMPTS, type PinAttempts, withoutAttempts } from './pin-lock.domain.ts';
import { ALL_ADDRESSES, readStrangerAttempts, writeStrangerAttempts } from './stranger-attempts.store.ts';

/** Where a PIN is entered. Each door counts wrong PINs for itself. */
export type Door =
  /** A session: counted in the account. */
  | { kind: 'session'; user: UserRecord }
  /** A sign-in from a device that the account has used: counted by device (see `addressOfDevice`). */
  | { kind: 'known'; user: UserRecord; email: string; address: string }
  /** A sign-in from any other device: counted by email, whether or not it has an account, and by network address. */
  | { kind: 'stranger'; user: UserRecord | undefined; email: string; address: string };

/** A PIN entry that is counted and not yet judged. */
export interface Reserved {
  door: Door;
  /** The attempts of this door before this one. */
  before: PinAttempts;
  /** If the PIN is wrong, this attempt locks the door. */
  locks: boolean;
}

/** Attempts from all unknown devices together, as a multiple of those from one address. */
const STRANGERS_FACTOR = 4;

/**
 * Counts the attempt as wrong before it is judged, so that neither a crash nor parallel guesses exceed the allowed
 * attempts. Then call `afterRightPin` or `confirmWrong`. Throws too_many_attempts, and rate_limited for a network with
 * too many wrong sign-ins.
 *
 * A lock of the account holds for everyone. A lock of a known device holds only there, and locks of unknown devices only
 * for those, so that neither strangers nor those who have an old device can lock the owner out.
 */
export async function reserveAttempt({ db, now }: { db: Db; now: () => Date }, door: Door): Promise<Reserved> {
  return db.transaction().execute(async (trx) => {
    await lockDoor(trx, door);
    // Asked in any case, so that the time to answer says nothing about the email.
    const account = await readAccountAttempts(trx, door.user?.id ?? NO_USER_ID);
    refuseLocked(account, now());
    const before = door.kind === 'session' ? account : await readStrangerAttempts(trx, door);
    refuseLocked(before, now());
    if (door.kind === 'stranger') refuseLocked(await readStrangerAttempts(trx, everywhere(door)), now());
    const after = afterWrongPin(before, await maxAttempts(trx), now());
    if (door.kind === 'session') await writeAccountAttempts(trx, door.user.id, after);
    else await writeStrangerAttempts(trx, door, after, now());
    if (door.kind === 'stranger') await countSignIn(trx, door.address, now());
    return { door, before, locks: after.lockLevel > before.lockLevel };
  });
}

/** After a wrong PIN: unknown devices are also counted together. One check at a time per account keeps this exact. */
export async function confirmWrong({ db, now }: { db: Db; now: () => Date }, { door }: Reserved): Promise<void> {
  if (door.kind !== 'stranger') return;
  await db.transaction().execute(async (trx) => {
    await lockDoor(trx, door);
    const all = await readStrangerAttempts(trx, everywhere(door));
    const after = afterWrongPin(all, (await maxAttempts(trx)) * STRANGERS_FACTOR, now());
    await writeStrangerAttempts(trx, everywhere(door), after, now());
  });
}

/**
 * After a right PIN: runs `work` in one transaction that also forgets the account's wrong PINs. A sign-in also forgets
 * those from its device or address, but not the guesses made elsewhere. The lock of PIN checks is taken before `work` can
 * lock the account's row, as everywhere.
 *
 * If `work` fails, the reserved attempt is given back: a database that can update rows but not add any, because its disk is
 * full, would otherwise lock out whoever enters the right PIN a few times.
 */
export async function afterRightPin<Result>(
  { db, now }: { db: Db; now: () => Date },
  reserved: Reserved,
  work: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(async (trx) => {
      await forgetOwnAttempts(trx, reserved, now());
      await forgetFromAll(trx, reserved, now());
      const result = await work(trx);
      await forgetInNetwork(trx, reserved, now());
      return result;
    });
  } catch (error) {
    // A refusal by `work` is about the PIN: it was replaced meanwhile.
    if (error instanceof AppError) throw error;
    await db
      .transaction()
      .execute(async (trx) => {
        await forgetOwnAttempts(trx, reserved, now());
        if (reserved.door.kind === 'stranger') await uncountSignIn(trx, reserved.door.address);
      })
      .catch(() => undefined);
    throw error;
  }
}

async function forgetOwnAttempts(trx: Transaction, { door }: Reserved, now: Date): Promise<void> {
  await lockDoor(trx, door);
  if (door.user) await writeAccountAttempts(trx, door.user.id, NO_ATTEMPTS);
  if (door.kind !== 'session') await writeStrangerAttempts(trx, door, NO_ATTEMPTS, now);
}

async function forgetFromAll(trx: Transaction, { door, before }: Reserved, now: Date): Promise<void> {
  if (door.kind !== 'stranger' || before.failedAttempts === 0) return;
  const all = await readStrangerAttempts(trx, everywhere(door));
  await writeStrangerAttempts(trx, everywhere(door), withoutAttempts(all, before.failedAttempts), now);
}

async function forgetInNetwork(trx: Transaction, { door }: Reserved, now: Date): Promise<void> {
  if (door.kind !== 'stranger') return;
  const others = door.user ? await mistypedByOthers(trx, door.user, now) : 0;
  await uncountSignIn(trx, door.address, others);
}

const everywhere = ({ email }: { email: string }) => ({ email, address: ALL_ADDRESSES });

function lockDoor(trx: Transaction, door: Door): Promise<void> {
  return lockPinChecks(trx, [door.user?.id ?? (door.kind === 'stranger' ? door.email.toLowerCase() : '')]);
}

async function maxAttempts(trx: Transaction): Promise<number> {
  const row = await trx.selectFrom('settings').select('max_pin_attempts').executeTakeFirstOrThrow();
  return row.max_pin_attempts;
}

function refuseLocked(attempts: PinAttempts, now: Date): void {
  const retryAfterSeconds = lockedForSeconds(attempts, now);
  if (retryAfterSeconds === 0) return;
  const minutes = Math.ceil(retryAfterSeconds / 60);
  throw new AppError('pin_locked', { params: { minutes }, retryAfterSeconds });
}
