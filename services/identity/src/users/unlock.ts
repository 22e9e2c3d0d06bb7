import { AppError } from '@vuka/service-kit/app-error';
import { recordAction } from '@vuka/service-kit/audit';
import type { Caller } from '@vuka/service-kit/tokens';
import type { Db } from '#db/schema.ts';
import { NO_ATTEMPTS } from '#pins/pin-lock.domain.ts';
import { writeAttempts } from './sign-in.ts';
import { lockPinChecks, selectUsers, type UserRecord } from './user.store.ts';

/** Lets somebody who gave too many wrong PINs try again at once. A repeat changes nothing. Throws not_found. */
export async function unlock(deps: { db: Db; now: () => Date }, caller: Caller, userId: string): Promise<UserRecord> {
  return deps.db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [userId]);
    const user = await selectUsers(trx).where('users.id', '=', userId).executeTakeFirst();
    if (!user) throw new AppError('not_found', 'Merchant not found');
    if (user.pin_failed_attempts === 0 && user.pin_lock_level === 0 && user.pin_locked_until === null) return user;
    await writeAttempts(trx, user, user.email, NO_ATTEMPTS);
    const action = {
      source: '/vuka/identity',
      caller,
      action: 'user.unlocked',
      subject: { kind: 'user' as const, id: userId, label: user.full_name },
      before: {
        failedAttempts: user.pin_failed_attempts,
        lockedUntil: user.pin_locked_until?.toISOString() ?? null,
      },
      after: { failedAttempts: 0, lockedUntil: null },
    };
    await recordAction(trx, action, deps.now());
    return { ...user, pin_failed_attempts: 0, pin_lock_level: 0, pin_locked_until: null };
  });
}
