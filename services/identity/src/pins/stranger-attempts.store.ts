import { createHash } from 'node:crypto';
import type { Db, Transaction } from '#db/schema.ts';
import { NO_ATTEMPTS, type PinAttempts } from './pin-lock.domain.ts';

/** The row of all addresses together. */
export const ALL_ADDRESSES = '';
const KEPT_MS = 2 * 24 * 60 * 60_000;

/**
 * Failed sign-ins with one email: from unknown devices at one address or at all of them, or from one device that the account
 * has used.
 */
export interface Strangers {
  email: string;
  address: string;
}

export async function readStrangerAttempts(
  db: Db | Transaction,
  { email, address }: Strangers,
): Promise<PinAttempts & { updatedAt?: Date }> {
  const row = await db
    .selectFrom('stranger_sign_ins')
    .select(['failed_attempts as failedAttempts', 'lock_level as lockLevel', 'locked_until as lockedUntil'])
    .select('updated_at as updatedAt')
    .where('email_hash', '=', hashEmail(email))
    .where('address', '=', address)
    .executeTakeFirst();
  return row ?? NO_ATTEMPTS;
}

export async function writeStrangerAttempts(
  db: Db | Transaction,
  { email, address }: Strangers,
  attempts: PinAttempts,
  now: Date,
): Promise<void> {
  const columns = {
    failed_attempts: attempts.failedAttempts,
    lock_level: attempts.lockLevel,
    locked_until: attempts.lockedUntil,
    updated_at: now,
  };
  await db
    .insertInto('stranger_sign_ins')
    .values({ email_hash: hashEmail(email), address, ...columns })
    .onConflict((conflict) => conflict.columns(['email_hash', 'address']).doUpdateSet(columns))
    .execute();
}

/** Ends every lock of sign-ins with this email. */
export async function clearStrangerAttempts(db: Db | Transaction, email: string): Promise<void> {
  await db.deleteFrom('stranger_sign_ins').where('email_hash', '=', hashEmail(email)).execute();
}

/** Deletes attempts a day after the longest lock has ended, since anyone can create more of them. */
export async function pruneStrangerSignIns(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('stranger_sign_ins')
    .where('updated_at', '<', new Date(now.getTime() - KEPT_MS))
    .execute();
}

function hashEmail(email: string): Buffer {
  return createHash('sha256').update(email.toLowerCase()).digest();
}
