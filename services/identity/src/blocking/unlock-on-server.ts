import { AppError } from '@vuka/service-kit/app-error';
import { onServer } from '#administrators/on-server.ts';
import type { Db } from '#db/schema.ts';
import { findUserByEmail, lockPinChecks, selectAccounts } from '#users/user.store.ts';
import { endLock, hasWrongPins } from './unlock.ts';

/**
 * Unlocks an administrator when there are not two others who could. Throws not_found. `wasLocked` is false when there
 * was nothing to unlock.
 */
export async function unlockOnServer(
  deps: { db: Db; now: () => Date },
  email: string,
): Promise<{ adminId: string; wasLocked: boolean }> {
  const known = await findUserByEmail(deps.db, email);
  if (!known?.admin_id) throw new AppError('administrator_not_found', { params: { email } });
  const { id, admin_id: adminId } = known;
  return deps.db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [id]);
    const user = await selectAccounts(trx).where('users.id', '=', id).executeTakeFirstOrThrow();
    await endLock(trx, user, { caller: onServer('admin:unlock').caller, now: deps.now() });
    return { adminId, wasLocked: hasWrongPins(user) };
  });
}
