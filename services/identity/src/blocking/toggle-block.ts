import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { mayDo } from '@vuka/contracts/http/admin-rights';
import { AppError } from '@vuka/service-kit/app-error';

import { keepRolesWaiting, otherWhoCanSignIn } from '#administrators/role.store.ts';
import type { Db, Transaction } from '#db/schema.ts';
import { announceSessionsEnded } from '#sessions/session.store.ts';
import { type AccountRecord, lockPinChecks, selectAccounts } from '#users/user.store.ts';

interface BlockOrder {
  userId: string;
  /** The wanted state, so that a repeat changes nothing; if omitted, toggles. */
  isBlocked: boolean | undefined;
}

/** An account after an order. `isChanged`: otherwise it already was in the wanted state, and nothing was recorded. */
export interface Outcome {
  user: AccountRecord;
  isChanged: boolean;
}

/**
 * Blocks an account, ending its sessions at once, or unblocks it. Throws not_found, and forbidden for roles that may
 * not block administrators, and when administrators would lock themselves out: their own account, or the last owner who
 * can sign in.
 */
export async function toggleBlock(
  deps: { db: Db; now: () => Date },
  caller: Caller,
  { userId, isBlocked: wanted }: BlockOrder,
): Promise<Outcome> {
  return deps.db.transaction().execute(async (trx) => {
    await keepRolesWaiting(trx);
    await lockPinChecks(trx, [userId]);
    const user = await selectAccounts(trx).where('users.id', '=', userId).forUpdate('users').executeTakeFirst();
    if (!user) throw new AppError('merchant_not_found');
    const isBlocked = wanted ?? !user.is_blocked;
    if (user.is_admin) await refuseForAdministrator(trx, caller, { ...user, is_blocked: isBlocked });
    if (isBlocked === user.is_blocked) return { user, isChanged: false };
    await trx
      .updateTable('users')
      .set({ is_blocked: isBlocked, updated_at: deps.now() })
      .where('id', '=', userId)
      .execute();
    if (isBlocked) {
      await trx.updateTable('sessions').set({ ended_by_block: true }).where('user_id', '=', userId).execute();
      await announceSessionsEnded(trx, { userId, reason: 'blocked' });
    }
    const action: AdminAction = {
      source: '/vuka/identity',
      caller,
      action: `${user.is_admin ? 'administrator' : 'user'}.${isBlocked ? 'blocked' : 'unblocked'}`,
      subject: { kind: 'user' as const, id: userId, label: user.full_name },
      before: { isBlocked: user.is_blocked },
      after: { isBlocked },
    };
    await recordAction(trx, action, deps.now());
    return { user: { ...user, is_blocked: isBlocked }, isChanged: true };
  });
}

/** Only owners block and unblock administrators, and none of them locks themselves out. */
async function refuseForAdministrator(trx: Transaction, caller: Caller, wanted: AccountRecord): Promise<void> {
  if (!mayDo(caller.role, 'administrators.manage')) throw new AppError('role_not_allowed');
  if (!wanted.is_blocked) return;
  const { id, role } = wanted;
  if (id === caller.userId) throw new AppError('block_of_self');
  if (role === 'owner' && !(await otherWhoCanSignIn(trx, id, 'owner'))) throw new AppError('block_of_last_owner');
  if (!(await otherWhoCanSignIn(trx, id))) throw new AppError('block_of_last_administrator');
}
