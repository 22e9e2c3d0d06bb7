import { AppError } from '@vuka/service-kit/app-error';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Db } from '#db/schema.ts';
import { findUserByEmail, lockPinChecks, selectUsers } from '#users/user.store.ts';
import { endLock, hasWrongPins } from './unlock.ts';

/** Who the audit trail names: a person at the server, of whom nothing else is known. */
const ON_SERVER = {
  userId: '00000000-0000-0000-0000-000000000000',
  adminId: null,
  name: 'On the server (npm run admin:unlock)',
};

/**
 * Takes off an administrator's lock where there are not two others to do it. Throws not_found. `wasLocked` is false
 * where there was nothing to take off.
 */
export async function unlockOnServer(
  deps: { db: Db; now: () => Date },
  email: string,
): Promise<{ adminId: string; wasLocked: boolean }> {
  const known = await findUserByEmail(deps.db, email);
  if (!known?.admin_id) throw new AppError('not_found', `No administrator has the email ${email}.`);
  const { id, admin_id: adminId } = known;
  return deps.db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [id]);
    const user = await selectUsers(trx).where('users.id', '=', id).executeTakeFirstOrThrow();
    await endLock(trx, user, { caller: { ...ON_SERVER, requestId: uuidv7() }, now: deps.now() });
    return { adminId, wasLocked: hasWrongPins(user) };
  });
}
