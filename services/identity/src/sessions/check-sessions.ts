import type { FactorState } from '@vuka/contracts/http/admin-role';
import type { SessionCheck, SessionCheckResult } from '@vuka/contracts/internal/identity';
import { type Database, inOneTrip, isConflict, send } from '@vuka/service-kit/database';
import { type CompiledQuery, sql } from 'kysely';
import { CLOCK_TOLERANCE_MS } from '#clock/times-ahead.ts';
import type { Db, Schema } from '#db/schema.ts';
import { attemptsOf } from '#pins/account-attempts.store.ts';
import { afterWrongPin, lockedForSeconds, NO_ATTEMPTS, type PinAttempts } from '#pins/pin-lock.domain.ts';
import type { PinSealer } from '#pins/pin-seal.ts';
import { tierOf } from '#users/tier.domain.ts';
import { lockPinChecksOf, selectUsers, type UserRecord } from '#users/user.store.ts';
import { toUser } from '#users/user.view.ts';
import { countWrongPins, hashToken } from './session.store.ts';

export interface CheckSessionsDeps {
  db: Db;
  pool: Database<Schema>['pool'];
  sealer: PinSealer;
  /** How long an administrator's right PIN counts as recent. */
  stepUpMs: number;
  /** Administrators must have a second factor. */
  requireFactor: boolean;
  /** Logs and counts wrong PINs and the locks that they cause. */
  onWrongPin: (facts: { door: 'session'; locks: boolean; userId: string }) => void;
  now: () => Date;
}

/** However active a session is, its user signs in again once a day. */
export const LONGEST_SESSION_MS = 24 * 60 * 60_000;
/**
 * Right PINs reset the account's count, so the thief of a cookie could guess between the owner's transfers. This bounds
 * what one session may guess.
 */
const MOST_WRONG_PINS = 30;

/** A session's last use is written at most this often. */
const TOUCH_EVERY_MS = 60_000;

interface SessionRecord extends UserRecord {
  session_hash: Buffer;
  seal: Buffer;
  seal_key_id: Buffer | null;
  session_pin_version: number;
  pin_checked_at: Date | null;
  has_factor: boolean;
  factor_verified_at: Date | null;
  has_other_admin: boolean;
  ended_by_block: boolean;
  last_seen_at: Date;
  session_created_at: Date;
  wrong_pins: number;
  max_pin_attempts: number;
  auto_logout_minutes: number;
}

/**
 * Resolves sessions and checks the PINs given with them: one result per item, in one database transaction. A wrong PIN
 * is counted before it is answered, and one user's checks are serialised, so that any number of parallel guesses is
 * checked at most maxPinAttempts times. Right PINs need one round trip. After a conflict with another transaction, such
 * as a deadlock, the batch runs once more: otherwise every request in it would fail.
 */
export async function checkSessions(deps: CheckSessionsDeps, items: SessionCheck[]): Promise<SessionCheckResult[]> {
  return checkOnce(deps, items).catch((error: unknown) => {
    if (!isConflict(error)) throw error;
    return checkOnce(deps, items);
  });
}

async function checkOnce(deps: CheckSessionsDeps, items: SessionCheck[]): Promise<SessionCheckResult[]> {
  const hashes = items.map((item) => hashToken(item.token));
  if (items.some((item) => item.pin !== undefined)) return checkPins(deps, items, hashes);
  const sessions = bySession(await sessionsOf(deps.db, hashes).execute());
  const results = items.map((item, index) => judge(deps, item, sessions.get(hex(hashes[index])), new Map()));
  const touched = touchedOf(deps, items, hashes, sessions);
  if (touched.length > 0) await touch(deps, touched).execute();
  return results;
}

async function checkPins(deps: CheckSessionsDeps, items: SessionCheck[], hashes: Buffer[]) {
  const client = await deps.pool.connect();
  try {
    // In this order: the last statement sees what the previous holder of the lock wrote.
    const [, , { rows }] = await inOneTrip([
      client.query('begin'),
      send(client, lockPinChecksOf(hashes).compile(deps.db)),
      send(client, sessionsOf(deps.db, hashes).compile()),
    ]);
    const sessions = bySession(rows);
    const attempts = new Map<string, PinAttempts>();
    const results = items.map((item, index) => judge(deps, item, sessions.get(hex(hashes[index])), attempts));
    const touched = touchedOf(deps, items, hashes, sessions);
    const confirmed = confirmedOf(items, hashes, { results, sessions });
    const wrong = hashes.filter((_, index) => codeOf(results[index]) === 'invalid_pin');
    const writes: CompiledQuery[] = [
      ...(wrong.length > 0 ? [countWrongPins(wrong).compile(deps.db)] : []),
      ...(attempts.size > 0 ? [recordAttempts(attempts).compile(deps.db)] : []),
      ...(confirmed.length > 0 ? [notePinChecks(deps, confirmed).compile()] : []),
      ...(touched.length > 0 ? [touch(deps, touched).compile()] : []),
    ];
    const ended = inOneTrip([...writes.map((write) => send(client, write)), client.query('commit')]);
    if (writes.length === 0) {
      // Nothing has to be committed before the answer, so the lock is released after it.
      ended.then(
        () => client.release(),
        (error: Error) => client.release(error),
      );
      return results;
    }
    const commit = (await ended).at(-1);
    // A failed transaction answers its COMMIT without an error but with a different command tag.
    if (commit?.command !== 'COMMIT') throw new Error(`the commit returned ${commit?.command}`);
    client.release();
    return results;
  } catch (error) {
    // Closing the connection ends its transaction.
    client.release(true);
    throw error;
  }
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
  // Unblocking does not restore a session, but the user is no longer told that the account is blocked.
  if (session.is_blocked || session.ended_by_block) return { ok: false, code: 'unauthenticated' };
  return item.pin === undefined
    ? signedIn(deps, item, session)
    : judgePin(deps, { ...item, pin: item.pin }, session, attempts);
}

function judgePin(
  deps: CheckSessionsDeps,
  item: SessionCheck & { pin: string },
  session: SessionRecord,
  attempts: Map<string, PinAttempts>,
): SessionCheckResult {
  const now = deps.now();
  const sealed = { token: item.token, userId: session.id, pinVersion: session.session_pin_version };
  const seal = { keyId: session.seal_key_id ?? deps.sealer.keyId, value: session.seal };
  const isRight = deps.sealer.matches(sealed, item.pin, seal);
  // The seal's key was removed. This is not a wrong PIN; a new sign-in makes a seal with the current key.
  if (isRight === undefined) return { ok: false, code: 'unauthenticated' };
  const before = attempts.get(session.id) ?? attemptsOf(session);
  const lockedFor = lockedForSeconds(before, now);
  if (lockedFor > 0) return { ok: false, code: 'too_many_attempts', retryAfterSeconds: lockedFor };
  if (isRight) {
    if (before.failedAttempts > 0 || before.lockLevel > 0) attempts.set(session.id, NO_ATTEMPTS);
    return signedIn(deps, item, session);
  }
  const after = afterWrongPin(before, session.max_pin_attempts, now);
  deps.onWrongPin({ door: 'session', locks: after.lockLevel > before.lockLevel, userId: session.id });
  attempts.set(session.id, after);
  const attemptsLeft = after.lockedUntil ? 0 : session.max_pin_attempts - after.failedAttempts;
  return { ok: false, code: 'invalid_pin', attemptsLeft };
}

function signedIn(
  deps: Pick<CheckSessionsDeps, 'now' | 'stepUpMs' | 'requireFactor'>,
  item: SessionCheck,
  session: SessionRecord,
): SessionCheckResult {
  const now = deps.now();
  const isRecent = (moment: Date | null) =>
    moment !== null && isWithin(deps.stepUpMs, now.getTime() - moment.getTime());
  const limitMs = session.auto_logout_minutes * 60_000;
  const idleMs = isTouched(item, session, now) ? 0 : now.getTime() - session.last_seen_at.getTime();
  const leftMs = LONGEST_SESSION_MS - (now.getTime() - session.session_created_at.getTime());
  return {
    ok: true,
    user: { ...toUser(session), ...(session.is_admin ? { secondFactor: factorState(deps, session) } : {}) },
    endsInSeconds: Math.floor(Math.min(limitMs - idleMs, leftMs) / 1_000),
    pinRecent: item.pin !== undefined || isRecent(session.pin_checked_at),
    factorRecent: session.has_factor && isRecent(session.factor_verified_at),
    tier: tierOf(session, now),
    isOnlyAdmin: session.is_admin && !session.has_other_admin,
  };
}

/** A confirmation with a time in the future does not count: its age is unknown. */
const isWithin = (limitMs: number, agoMs: number) => agoMs >= -CLOCK_TOLERANCE_MS && agoMs <= limitMs;

function factorState({ requireFactor }: Pick<CheckSessionsDeps, 'requireFactor'>, session: SessionRecord): FactorState {
  if (!session.has_factor) return requireFactor ? 'enrol' : 'none';
  return session.factor_verified_at ? 'verified' : 'pending';
}

function isTouched(item: SessionCheck, session: SessionRecord, now: Date): boolean {
  return item.keepAlive && now.getTime() - session.last_seen_at.getTime() > TOUCH_EVERY_MS;
}

function isOver(session: SessionRecord, now: Date): boolean {
  const idleMs = now.getTime() - session.last_seen_at.getTime();
  const ageMs = now.getTime() - session.session_created_at.getTime();
  return (
    session.session_pin_version !== session.pin_version ||
    !session.is_active ||
    idleMs > session.auto_logout_minutes * 60_000 ||
    ageMs > LONGEST_SESSION_MS ||
    session.wrong_pins >= MOST_WRONG_PINS
  );
}

/** Blocked administrators count: blocking the others must not make an administrator the only one. */
const HAS_OTHER_ADMIN = sql<boolean>`
  users.is_admin and exists (
    select from users other where other.is_admin and other.is_active and other.id <> users.id)`;

const HAS_FACTOR = sql<boolean>`
  users.is_admin and exists (select from second_factors where second_factors.user_id = users.id)`;

function sessionsOf(db: Db, hashes: Buffer[]) {
  return selectUsers(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .innerJoin('settings', (join) => join.on('settings.id', '=', 1))
    .select([
      'sessions.id_hash as session_hash',
      'sessions.seal',
      'sessions.seal_key_id',
      'sessions.pin_checked_at',
      'sessions.factor_verified_at',
      'sessions.pin_version as session_pin_version',
      'sessions.ended_by_block',
      'sessions.last_seen_at',
      'sessions.created_at as session_created_at',
      'sessions.wrong_pins',
      'settings.max_pin_attempts',
      'settings.auto_logout_minutes',
      HAS_OTHER_ADMIN.as('has_other_admin'),
      HAS_FACTOR.as('has_factor'),
    ])
    .where('sessions.id_hash', '=', sql<Buffer>`any(${hashes})`);
}

function bySession(rows: SessionRecord[]): Map<string, SessionRecord> {
  return new Map(rows.map((row) => [hex(row.session_hash), row]));
}

function recordAttempts(attempts: Map<string, PinAttempts>) {
  const changed = [...attempts];
  return sql`
    update users
    set pin_failed_attempts = v.failed, pin_lock_level = v.level, pin_locked_until = v.until
    from unnest(
      ${changed.map(([id]) => id)}::uuid[],
      ${changed.map(([, after]) => after.failedAttempts)}::int[],
      ${changed.map(([, after]) => after.lockLevel)}::int[],
      ${changed.map(([, after]) => after.lockedUntil)}::timestamptz[]
    ) v(id, failed, level, until)
    where users.id = v.id`;
}

const codeOf = (result: SessionCheckResult | undefined) => (result && !result.ok ? result.code : undefined);

/** The sessions whose last use must be written. */
function touchedOf(
  deps: { now: () => Date },
  items: SessionCheck[],
  hashes: Buffer[],
  sessions: Map<string, SessionRecord>,
): Buffer[] {
  const now = deps.now();
  return hashes.filter((hash, index) => {
    const session = sessions.get(hex(hash));
    const item = items[index];
    return session && item && !isOver(session, now) && isTouched(item, session, now);
  });
}

function touch({ db, now }: { db: Db; now: () => Date }, hashes: Buffer[]) {
  return db.updateTable('sessions').set({ last_seen_at: now() }).where('id_hash', '=', sql<Buffer>`any(${hashes})`);
}

/** Administrators' sessions whose PIN was just right; merchants enter theirs with each order. */
function confirmedOf(
  items: SessionCheck[],
  hashes: Buffer[],
  judged: { results: SessionCheckResult[]; sessions: Map<string, SessionRecord> },
): Buffer[] {
  return hashes.filter((hash, index) => {
    const isRight = items[index]?.pin !== undefined && judged.results[index]?.ok === true;
    return isRight && judged.sessions.get(hex(hash))?.is_admin === true;
  });
}

function notePinChecks({ db, now }: { db: Db; now: () => Date }, hashes: Buffer[]) {
  return db.updateTable('sessions').set({ pin_checked_at: now() }).where('id_hash', '=', sql<Buffer>`any(${hashes})`);
}

function hex(hash: Buffer | undefined): string {
  return hash?.toString('hex') ?? '';
}
