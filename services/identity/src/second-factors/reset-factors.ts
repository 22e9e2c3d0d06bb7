import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import { AppError } from '@vuka/service-kit/app-error';
import { onServer } from '#administrators/on-server.ts';
import type { Db } from '#db/schema.ts';
import { announceSessionsEnded } from '#sessions/session.store.ts';
import { findUserByEmail, lockPinChecks } from '#users/user.store.ts';
import { forgetWrongCodes } from './factor-attempts.store.ts';

/**
 * Removes an administrator's second factors, for one who has lost them all, and ends the sessions. Throws not_found.
 */
export async function resetFactors(
  { db, now }: { db: Db; now: () => Date },
  email: string,
): Promise<{ adminId: string; removed: number }> {
  const user = await findUserByEmail(db, email);
  if (!user?.admin_id) throw new AppError('administrator_not_found', { params: { email } });
  const { id: userId, admin_id: adminId, full_name: label } = user;
  return db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [userId]);
    const factors = await trx
      .deleteFrom('second_factors')
      .where('user_id', '=', userId)
      .returning(['kind', 'name'])
      .execute();
    await forgetWrongCodes(trx, userId);
    await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
    await announceSessionsEnded(trx, { userId, reason: 'signed_out' });
    const entry: AdminAction = {
      ...onServer('admin:create -- --reset-factors'),
      action: 'administrator.factors-reset',
      subject: { kind: 'user' as const, id: userId, label },
      before: { factors },
    };
    await recordAction(trx, entry, now());
    return { adminId, removed: factors.length };
  });
}
