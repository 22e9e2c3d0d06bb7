import { createHash } from 'node:crypto';
import { AppError } from '@vuka/service-kit/app-error';
import type { Db } from '#db/schema.ts';
import { lockPinChecks, type UserRecord } from '#users/user.store.ts';
import { afterWrongPin, lockedForSeconds, NO_ATTEMPTS, type PinAttempts } from './pin-lock.domain.ts';

const KEPT_MS = 2 * 24 * 60 * 60_000;

interface AttemptDeps {
  db: Db;
  now: () => Date;
}

/**
 * Counts the attempt as wrong before it is checked; a right PIN resets the count. Neither a crash nor parallel guesses
 * can therefore exceed the allowed attempts.
 */
export async function reserveAttempt(deps: AttemptDeps, user: UserRecord | undefined, email: string): Promise<void> {
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
  return new AppError('pin_locked', { params: { minutes }, retryAfterSeconds });
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

/**
 * Deletes attempts with unknown emails a day after the longest lock has ended, since anyone can create more of them.
 */
export async function pruneUnknownSignIns(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('unknown_sign_ins')
    .where('updated_at', '<', new Date(now.getTime() - KEPT_MS))
    .execute();
}

function hashEmail(email: string): Buffer {
  return createHash('sha256').update(email.toLowerCase()).digest();
}
