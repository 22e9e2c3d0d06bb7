import type { Db, Transaction, UserRow } from '#db/schema.ts';
import { NO_ATTEMPTS, type PinAttempts } from './pin-lock.domain.ts';

/** The wrong PINs in an account's sessions. */
export function attemptsOf(
  user: Pick<UserRow, 'pin_failed_attempts' | 'pin_lock_level' | 'pin_locked_until'>,
): PinAttempts {
  return {
    failedAttempts: user.pin_failed_attempts,
    lockLevel: user.pin_lock_level,
    lockedUntil: user.pin_locked_until,
  };
}

export async function readAccountAttempts(db: Db | Transaction, userId: string): Promise<PinAttempts> {
  const row = await db
    .selectFrom('users')
    .select(['pin_failed_attempts', 'pin_lock_level', 'pin_locked_until'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return row ? attemptsOf(row) : NO_ATTEMPTS;
}

export async function writeAccountAttempts(db: Db | Transaction, userId: string, attempts: PinAttempts): Promise<void> {
  await db
    .updateTable('users')
    .set({
      pin_failed_attempts: attempts.failedAttempts,
      pin_lock_level: attempts.lockLevel,
      pin_locked_until: attempts.lockedUntil,
    })
    .where('id', '=', userId)
    .execute();
}
