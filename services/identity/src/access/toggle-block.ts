import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { AppError } from '@vuka/service-kit/app-error';

import { sql } from 'kysely';
import type { Db, Transaction } from '#db/schema.ts';
import { announceSessionsEnded } from '#sessions/session.store.ts';
import { type AccountRecord, selectAccounts } from '#users/user.store.ts';

interface BlockOrder {
  userId: string;
  /** The wanted state, so that a repeat changes nothing; if omitted, toggles. */
  isBlocked: boolean | undefined;
}

/**
 * Blocks an account, ending its sessions at once, or unblocks it. Throws not_found, and forbidden when administrators
 * would lock themselves out: their own account, or the last administrator who can sign in.
 */
export async function toggleBlock(
  deps: { db: Db; now: () => Date },
  caller: Caller,
  { userId, isBlocked: wanted }: BlockOrder,
): Promise<AccountRecord> {
  return deps.db.transaction().execute(async (trx) => {
    await keepOthersWaiting(trx);
    const user = await selectAccounts(trx).where('users.id', '=', userId).forUpdate('users').executeTakeFirst();
    if (!user) throw new AppError('merchant_not_found');
    const isBlocked = wanted ?? !user.is_blocked;
    if (isBlocked === user.is_blocked) return user;
    if (isBlocked) await refuseLockOut(trx, caller, user);
    await trx
      .updateTable('users')
      .set({ is_blocked: isBlocked, updated_at: deps.now() })
      .where('id', '=', userId)
      .execute();
    if (isBlocked) {
      await trx.updateTable('sessions').set({ ended_by_block: true }).where('user_id', '=', userId).execute();
      await announceSessionsEnded(trx, { userId, reason: 'blocked' });
    }
    const action = {
      source: '/vuka/identity',
      caller,
      action: `${user.is_admin ? 'administrator' : 'user'}.${isBlocked ? 'blocked' : 'unblocked'}`,
      subject: { kind: 'user' as const, id: userId, label: user.full_name },
      before: { isBlocked: user.is_blocked },
      after: { isBlocked },
    };
    await recordAction(trx, action, deps.now());
    return { ...user, is_blocked: isBlocked };
  });
}

/** One block at a time, so that two administrators cannot block each other concurrently. */
async function keepOthersWaiting(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('blocks'))`.execute(trx);
}

async function refuseLockOut(trx: Transaction, caller: Caller, user: AccountRecord): Promise<void> {
  if (user.id === caller.userId) throw new AppError('block_of_self');
  if (!user.is_admin) return;
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .where('is_active', '=', true)
    .where('is_blocked', '=', false)
    .where('id', '!=', user.id)
    .executeTakeFirst();
  if (!other) throw new AppError('block_of_last_administrator');
}
