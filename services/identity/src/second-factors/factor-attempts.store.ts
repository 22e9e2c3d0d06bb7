import { AppError } from '@vuka/service-kit/app-error';
import type { Db, Transaction } from '#db/schema.ts';
import { afterWrongPin, lockedForSeconds, NO_ATTEMPTS, type PinAttempts } from '#pins/pin-lock.domain.ts';
import { lockPinChecks } from '#users/user.store.ts';

/**
 * Counts a code as wrong before it is judged, as for a PIN. The counts are separate: a thief who knows the PIN could
 * otherwise reset this one by signing in again. Throws too_many_attempts.
 */
export async function reserveCode({ db, now }: { db: Db; now: () => Date }, userId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [userId]);
    const before = await readAttempts(trx, userId);
    const retryAfterSeconds = lockedForSeconds(before, now());
    if (retryAfterSeconds > 0) {
      const minutes = Math.ceil(retryAfterSeconds / 60);
      throw new AppError('factor_locked', { params: { minutes }, retryAfterSeconds });
    }
    const { max_pin_attempts } = await trx.selectFrom('settings').select('max_pin_attempts').executeTakeFirstOrThrow();
    const { failedAttempts, lockLevel, lockedUntil } = afterWrongPin(before, max_pin_attempts, now());
    const after = { failed_attempts: failedAttempts, lock_level: lockLevel, locked_until: lockedUntil };
    await trx
      .insertInto('factor_attempts')
      .values({ user_id: userId, ...after })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(after))
      .execute();
  });
}

/** After a right code, and when an administrator's factors are reset. */
export async function forgetWrongCodes(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('factor_attempts').where('user_id', '=', userId).execute();
}

async function readAttempts(trx: Transaction, userId: string): Promise<PinAttempts> {
  const row = await trx.selectFrom('factor_attempts').selectAll().where('user_id', '=', userId).executeTakeFirst();
  if (!row) return NO_ATTEMPTS;
  return { failedAttempts: row.failed_attempts, lockLevel: row.lock_level, lockedUntil: row.locked_until };
}
