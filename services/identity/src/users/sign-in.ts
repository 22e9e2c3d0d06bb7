import { createHash } from 'node:crypto';
import type { LoginForm } from '@vuka/contracts/http/users';
import type { OpenedSession } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import type { Serial } from '@vuka/service-kit/serial';
import type { Db } from '#db/schema.ts';
import type { PinHasher } from '#pins/pin-hasher.ts';
import { afterWrongPin, lockedForSeconds, NO_ATTEMPTS, type PinAttempts } from '#pins/pin-lock.domain.ts';
import type { PinSealer } from '#pins/pin-seal.ts';
import type { SprayingWatch } from '#pins/pin-spraying.ts';
import { announceSignIn, openSession } from '#sessions/session.store.ts';
import { findUserByEmail, lockPinChecks, type UserRecord } from './user.store.ts';
import { toUser } from './user.view.ts';

const KEPT_MS = 2 * 24 * 60 * 60_000;

export interface SignInDeps {
  db: Db;
  hasher: PinHasher;
  sealer: PinSealer;
  /** Judges one user's PINs one after the other, so that right ones at the same moment do not count as wrong. */
  serial: Serial;
  spraying: SprayingWatch;
  now: () => Date;
}

/**
 * Opens a session. A wrong email and a wrong PIN get one answer, in the same time, and are counted and locked alike.
 * Throws invalid_credentials, too_many_attempts, account_blocked, rate_limited, unavailable.
 */
export async function signIn(deps: SignInDeps, form: LoginForm): Promise<OpenedSession> {
  return deps.serial(form.username.toLowerCase(), () => judgeSignIn(deps, form));
}

async function judgeSignIn(deps: SignInDeps, form: LoginForm): Promise<OpenedSession> {
  await deps.spraying.slowDown(form.pin);
  const user = await findUserByEmail(deps.db, form.username);
  const isRight = await deps.hasher.admit(async () => {
    await reserveAttempt(deps, user, form.username);
    return user ? deps.hasher.verify(user.id, form.pin, user.pin) : deps.hasher.pretend(form.pin);
  });
  if (!user || !isRight) {
    deps.spraying.wrong(form.pin, form.username);
    throw new AppError('invalid_credentials', 'Invalid credentials. Please check your username and PIN.');
  }
  await writeAttempts(deps.db, user, form.username, NO_ATTEMPTS);
  if (user.is_blocked || !user.is_active) throw accountBlocked();
  const token = await deps.db.transaction().execute(async (trx) => {
    await announceSignIn(trx, { userId: user.id, at: deps.now().toISOString() });
    return openSession({ ...deps, db: trx }, user, form.pin);
  });
  return { user: toUser(user), token };
}

/**
 * Counts the attempt as a wrong one before it is judged; a right PIN takes the count back. So a crash, or any number
 * of parallel guesses, never gets more judgements than are allowed.
 */
export async function reserveAttempt(deps: SignInDeps, user: UserRecord | undefined, email: string): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [user?.id ?? email.toLowerCase()]);
    const { max_pin_attempts: maxAttempts } = await trx
      .selectFrom('settings')
      .select('max_pin_attempts')
      .executeTakeFirstOrThrow();
    const attempts = await readAttempts(trx, user, email);
    const lockedFor = lockedForSeconds(attempts, deps.now());
    if (lockedFor > 0) throw tooManyAttempts(lockedFor);
    await writeAttempts(trx, user, email, afterWrongPin(attempts, maxAttempts, deps.now()));
  });
}

function tooManyAttempts(retryAfterSeconds: number): AppError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new AppError('too_many_attempts', `Too many wrong PINs. Please try again in ${minutes} minutes.`, {
    retryAfterSeconds,
  });
}

function accountBlocked(): AppError {
  return new AppError('account_blocked', 'Your account is blocked. Please contact support.');
}

async function readAttempts(db: Db, user: UserRecord | undefined, email: string): Promise<PinAttempts> {
  const columns = ['pin_failed_attempts', 'pin_lock_level', 'pin_locked_until'] as const;
  const row = user
    ? await db.selectFrom('users').select(columns).where('id', '=', user.id).executeTakeFirst()
    : await db
        .selectFrom('unknown_sign_ins')
        .select(columns)
        .where('email_hash', '=', hashEmail(email))
        .executeTakeFirst();
  if (!row) return NO_ATTEMPTS;
  return { failedAttempts: row.pin_failed_attempts, lockLevel: row.pin_lock_level, lockedUntil: row.pin_locked_until };
}

export async function writeAttempts(db: Db, user: UserRecord | undefined, email: string, attempts: PinAttempts) {
  const columns = {
    pin_failed_attempts: attempts.failedAttempts,
    pin_lock_level: attempts.lockLevel,
    pin_locked_until: attempts.lockedUntil,
  };
  if (user) {
    await db.updateTable('users').set(columns).where('id', '=', user.id).execute();
    return;
  }
  await db
    .insertInto('unknown_sign_ins')
    .values({ email_hash: hashEmail(email), ...columns })
    .onConflict((conflict) => conflict.column('email_hash').doUpdateSet({ ...columns, updated_at: new Date() }))
    .execute();
}

/** Forgets attempts with emails that nobody has: a day after the longest lock ended, since anybody can make more. */
export async function pruneUnknownSignIns(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('unknown_sign_ins')
    .where('updated_at', '<', new Date(now.getTime() - KEPT_MS))
    .execute();
}

function hashEmail(email: string): Buffer {
  return createHash('sha256').update(email.toLowerCase()).digest();
}
