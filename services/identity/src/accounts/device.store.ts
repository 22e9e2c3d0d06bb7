import { randomBytes } from 'node:crypto';
import type { Browser, DeviceCheck } from '@vuka/contracts/internal/identity';
import { sql } from 'kysely';
import type { Db, Transaction } from '#db/schema.ts';
import { hashToken } from '#sessions/session.store.ts';

/** More than a person uses. A program that signs in without the cookie would add one each time. */
const MOST_DEVICES = 50;

/** Whether this user has signed in with this browser before. */
export async function knowsDevice(db: Db, userId: string, { device }: Browser): Promise<boolean> {
  if (!device) return false;
  const row = await db
    .selectFrom('devices')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('token_hash', '=', hashToken(device))
    .executeTakeFirst();
  return row !== undefined;
}

/** For each sign-in, whether its device is one that the account knows. */
export async function knowsDevices(db: Db, checks: readonly DeviceCheck[]): Promise<boolean[]> {
  const emails = checks.map(({ username }) => username.toLowerCase());
  const hashes = checks.map(({ device }) => hashToken(device));
  const { rows } = await sql<{ is_known: boolean }>`
    select exists (
      select from users join devices on devices.user_id = users.id
      where lower(users.email) = item.email and devices.token_hash = item.token_hash) as is_known
    from unnest(${emails}::text[], ${hashes}::bytea[]) with ordinality as item (email, token_hash, place)
    order by item.place`.execute(db);
  return rows.map((row) => row.is_known);
}

/** The "address" under which wrong sign-ins on a known device are counted. */
export const addressOfDevice = (device: string): string => `device ${hashToken(device).toString('hex')}`;

/**
 * Remembers the browser after a right PIN. Returns the hash of its cookie, and a new cookie unless the browser has one that
 * we issued: a cookie planted by another site's owner must not become a known device. Beyond the maximum number, the
 * account's other devices are forgotten: the next sign-in with such a device counts as one from an unknown device, and
 * makes it known again.
 */
export async function rememberDevice(
  trx: Transaction,
  userId: string,
  { device }: Browser,
  now: Date,
): Promise<{ deviceHash: Buffer; device?: string }> {
  const isOurs = device !== undefined && (await isIssued(trx, device));
  const token = isOurs ? device : randomBytes(32).toString('base64url');
  const deviceHash = hashToken(token);
  await trx
    .insertInto('devices')
    .values({ user_id: userId, token_hash: deviceHash, created_at: now, last_seen_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'token_hash']).doUpdateSet({ last_seen_at: now }))
    .execute();
  await forgetExcess(trx, userId, deviceHash);
  return isOurs ? { deviceHash } : { deviceHash, device: token };
}

/**
 * Devices that were used at least twice are kept longest: an attacker who knows the PIN and signs in repeatedly without
 * a cookie cannot make the owner's devices unknown.
 */
async function forgetExcess(trx: Transaction, userId: string, current: Buffer): Promise<void> {
  await sql`
    delete from devices where user_id = ${userId} and token_hash = any(array(
      select token_hash from devices where user_id = ${userId} and token_hash <> ${current}
      order by last_seen_at > created_at desc, last_seen_at desc offset ${MOST_DEVICES - 1}))`.execute(trx);
}

/** Forgets browsers unused for 400 days, as long as browsers keep a cookie (RFC 6265bis, section 5.5). */
export async function pruneDevices(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('devices')
    .where('last_seen_at', '<', new Date(now.getTime() - 400 * 86_400_000))
    .execute();
}

async function isIssued(trx: Transaction, device: string): Promise<boolean> {
  const row = await trx
    .selectFrom('devices')
    .select('user_id')
    .where('token_hash', '=', hashToken(device))
    .executeTakeFirst();
  return row !== undefined;
}
