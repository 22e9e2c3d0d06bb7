import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Browser } from '@vuka/contracts/internal/identity';
import {
  PIN_CHANGED,
  type PinChanged,
  SESSIONS_ENDED,
  type SessionsEnded,
  SIGNED_IN,
  type SignedIn,
} from '@vuka/contracts/messages/identity';
import { sql } from 'kysely';
import type { Db, Transaction } from '#db/schema.ts';
import type { PinSealer } from '#pins/pin-seal.ts';
import { announce } from '#users/announce.ts';
import type { SealedOrigins } from './sealed-origins.ts';

/** Hashes a session id, which is 32 random bytes. Only the hash is stored. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Opens a session after its PIN was checked, and returns its id for the cookie. */
export async function openSession(
  deps: { db: Db | Transaction; sealer: PinSealer; sealedOrigins: SealedOrigins; now: () => Date },
  user: { id: string; pin_version: number },
  { pin, browser, deviceHash }: { pin: string; browser: Browser; deviceHash: Buffer },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const seal = deps.sealer.seal({ token, userId: user.id, pinVersion: user.pin_version }, pin);
  const now = deps.now();
  const id = randomUUID();
  await deps.db
    .insertInto('sessions')
    .values({
      id,
      id_hash: hashToken(token),
      user_id: user.id,
      seal,
      seal_key_id: deps.sealer.keyId,
      pin_version: user.pin_version,
      pin_checked_at: now,
      created_at: now,
      last_seen_at: now,
      sealed: deps.sealedOrigins.seal({ id }, { address: browser.address, userAgent: browser.userAgent }),
      device_hash: deviceHash,
    })
    .execute();
  return token;
}

/** Tells every gateway that sessions of a user have ended, so that their open streams close. */
export function announceSessionsEnded(trx: Transaction, ended: SessionsEnded): Promise<void> {
  return announce(trx, SESSIONS_ENDED, ended);
}

/** Publishes that a PIN was changed, so that the user learns of a change by a thief. */
export function announcePinChanged(trx: Transaction, changed: PinChanged): Promise<void> {
  return announce(trx, PIN_CHANGED, changed);
}

/** Publishes a sign-in, so that the user can be notified. */
export function announceSignIn(trx: Transaction, signedIn: SignedIn): Promise<void> {
  return announce(trx, SIGNED_IN, signedIn);
}

/** Adds wrong PINs to their sessions' counts. One session may have had several in a batch. */
export const countWrongPins = (hashes: Buffer[]) => sql`
  update sessions set wrong_pins = wrong_pins + v.count
  from (select hash, count(*)::int as count from unnest(${hashes}::bytea[]) hash group by hash) v
  where id_hash = v.hash`;

/**
 * Forgets the user's devices, except the one of this session: sign-ins there then count as those from an unknown device.
 * A session of an earlier release names no device, so none stays known.
 */
export async function forgetOtherDevices(trx: Transaction, userId: string, token: string): Promise<void> {
  await sql`
    delete from devices where user_id = ${userId} and token_hash is distinct from (
      select device_hash from sessions where id_hash = ${hashToken(token)})`.execute(trx);
}

/** Deletes sessions unused for a day; the longest idle time that the settings allow is two hours. */
export async function pruneSessions(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('last_seen_at', '<', new Date(now.getTime() - 86_400_000))
    .execute();
}
