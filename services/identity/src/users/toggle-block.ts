import { AppError } from '@vuka/service-kit/app-error';
import type { Db } from '#db/schema.ts';
import { announceSessionsEnded } from '#sessions/session.store.ts';
import { selectUsers, type UserRecord } from './user.store.ts';

/** Blocks a merchant, which ends their sessions at once, or lets them in again. Throws not_found. */
export async function toggleBlock(deps: { db: Db; now: () => Date }, userId: string): Promise<UserRecord> {
  return deps.db.transaction().execute(async (trx) => {
    const merchant = await trx
      .selectFrom('users')
      .innerJoin('merchants', 'merchants.user_id', 'users.id')
      .select('users.is_blocked')
      .where('users.id', '=', userId)
      .forUpdate('users')
      .executeTakeFirst();
    if (!merchant) throw new AppError('not_found', 'Merchant not found');
    const isBlocked = !merchant.is_blocked;
    await trx
      .updateTable('users')
      .set({ is_blocked: isBlocked, updated_at: deps.now() })
      .where('id', '=', userId)
      .execute();
    if (isBlocked) {
      await trx.updateTable('sessions').set({ ended_by_block: true }).where('user_id', '=', userId).execute();
      await announceSessionsEnded(trx, { userId, reason: 'blocked' });
    }
    return selectUsers(trx).where('users.id', '=', userId).executeTakeFirstOrThrow();
  });
}
