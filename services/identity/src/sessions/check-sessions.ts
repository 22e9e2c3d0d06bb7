import type { SessionCheck, SessionCheckResult } from '@vuka/contracts/internal/identity';
import { sql } from 'kysely';
import type { Db, Transaction } from '#db/schema.ts';
import { afterWrongPin, lockedForSeconds, NO_ATTEMPTS, type PinAttempts } from '#pins/pin-lock.domain.ts';
import type { PinSealer } from '#pins/pin-seal.ts';
import { lockPinChecksOf, selectUsers, type UserRecord } from '#users/user.store.ts';
import { toUser } from '#users/user.view.ts';
import { hashToken } from './session.store.ts';

export interface CheckSessionsDeps {
  db: Db;
  sealer: PinSealer;
  now: () => Date;
}

/** A session's idle clock is written at most this often. */
const TOUCH_EVERY_MS = 60_000;

interface SessionRecord extends UserRecord {
  session_hash: Buffer;
  seal: Buffer;
  session_pin_version: number;
  ended_by_block: boolean;
  last_seen_at: Date;
  max_pin_attempts: number;
  auto_logout_minutes: number;
}

/**
 * Whose sessions these are, and whether the PINs given with them are right: one result per item, all in one database
 * transaction. A wrong PIN is counted before it is answered, and one user's checks run one after the other, so that any
 * number of parallel guesses is judged at most maxPinAttempts times.
 */
export async function checkSessions(deps: CheckSessionsDeps, items: SessionCheck[]): Promise<SessionCheckResult[]> {
  const hashes = items.map((item) => hashToken(item.token));
  if (!items.some((item) => item.pin !== undefined)) {
    const sessions = await findSessions(deps.db, hashes);
    await touch(deps, items, hashes, sessions);
    return items.map((item, index) => judge(deps, item, sessions.get(hex(hashes[index])), new Map()));
  }
  return deps.db.transaction().execute(async (trx) => {
    // In one trip, one after the other: the second statement sees what whoever held the lock before has written.
    const [, sessions] = await Promise.all([lockPinChecksOf(trx, hashes), findSessions(trx, hashes)]);
    const attempts = new Map<string, PinAttempts>();
    const results = items.map((item, index) => judge(deps, item, sessions.get(hex(hashes[index])), attempts));
    await recordAttempts(trx, attempts);
    await touch({ ...deps, db: trx }, items, hashes, sessions);
    return results;
  });
}

function judge(
  deps: CheckSessionsDeps,
  item: SessionCheck,
  session: SessionRecord | undefined,
  attempts: Map<string, PinAttempts>,
): SessionCheckResult {
  const now = deps.now();
  if (!session || isOver(session, now)) return { ok: false, code: 'unauthenticated' };
  if (session.is_blocked && item.pin !== undefined) return { ok: false, code: 'account_blocked' };
  // Lifting a block brings no session back, but nobody is told any more that their account is blocked.
  if (session.is_blocked || session.ended_by_block) return { ok: false, code: 'unauthenticated' };
  if (item.pin === undefined) return signedIn(item, session, now);

  const before = attempts.get(session.id) ?? attemptsOf(session);
  const lockedFor = lockedForSeconds(before, now);
  if (lockedFor > 0) return { ok: false, code: 'too_many_attempts', retryAfterSeconds: lockedFor };
  const sealed = { token: item.token, userId: session.id, pinVersion: session.session_pin_version };
  if (deps.sealer.matches(sealed, item.pin, session.seal)) {
    if (before.failedAttempts > 0 || before.lockLevel > 0) attempts.set(session.id, NO_ATTEMPTS);
    return signedIn(item, session, now);
  }
  const after = afterWrongPin(before, session.max_pin_attempts, now);
  attempts.set(session.id, after);
  const attemptsLeft = after.lockedUntil ? 0 : session.max_pin_attempts - after.failedAttempts;
  return { ok: false, code: 'invalid_pin', attemptsLeft };
}

function signedIn(item: SessionCheck, session: SessionRecord, now: Date): SessionCheckResult {
  const limitMs = session.auto_logout_minutes * 60_000;
  const idleMs = isTouched(item, session, now) ? 0 : now.getTime() - session.last_seen_at.getTime();
  return { ok: true, user: toUser(session), endsInSeconds: Math.floor((limitMs - idleMs) / 1_000) };
}

function isTouched(item: SessionCheck, session: SessionRecord, now: Date): boolean {
  return item.keepAlive && now.getTime() - session.last_seen_at.getTime() > TOUCH_EVERY_MS;
}

function isOver(session: SessionRecord, now: Date): boolean {
  const idleMs = now.getTime() - session.last_seen_at.getTime();
  return (
    session.session_pin_version !== session.pin_version ||
    !session.is_active ||
    idleMs > session.auto_logout_minutes * 60_000
  );
}

function attemptsOf(user: UserRecord): PinAttempts {
  return {
    failedAttempts: user.pin_failed_attempts,
    lockLevel: user.pin_lock_level,
    lockedUntil: user.pin_locked_until,
  };
}

async function findSessions(db: Db, hashes: Buffer[]): Promise<Map<string, SessionRecord>> {
  const rows = await selectUsers(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .innerJoin('settings', (join) => join.on('settings.id', '=', 1))
    .select([
      'sessions.id_hash as session_hash',
      'sessions.seal',
      'sessions.pin_version as session_pin_version',
      'sessions.ended_by_block',
      'sessions.last_seen_at',
      'settings.max_pin_attempts',
      'settings.auto_logout_minutes',
    ])
    .where('sessions.id_hash', '=', sql<Buffer>`any(${hashes})`)
    .execute();
  return new Map(rows.map((row) => [hex(row.session_hash), row]));
}

async function recordAttempts(trx: Transaction, attempts: Map<string, PinAttempts>) {
  if (attempts.size === 0) return;
  const changed = [...attempts];
  await sql`
    update users
    set pin_failed_attempts = v.failed, pin_lock_level = v.level, pin_locked_until = v.until
    from unnest(
      ${changed.map(([id]) => id)}::uuid[],
      ${changed.map(([, after]) => after.failedAttempts)}::int[],
      ${changed.map(([, after]) => after.lockLevel)}::int[],
      ${changed.map(([, after]) => after.lockedUntil)}::timestamptz[]
    ) v(id, failed, level, until)
    where users.id = v.id`.execute(trx);
}

async function touch(
  deps: { db: Db; now: () => Date },
  items: SessionCheck[],
  hashes: Buffer[],
  sessions: Map<string, SessionRecord>,
) {
  const now = deps.now();
  const stale = hashes.filter((hash, index) => {
    const session = sessions.get(hex(hash));
    const item = items[index];
    return session && item && !isOver(session, now) && isTouched(item, session, now);
  });
  if (stale.length === 0) return;
  await deps.db.updateTable('sessions').set({ last_seen_at: now }).where('id_hash', 'in', stale).execute();
}

function hex(hash: Buffer | undefined): string {
  return hash?.toString('hex') ?? '';
}
