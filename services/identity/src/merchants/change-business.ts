import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { AppError } from '@vuka/service-kit/app-error';
import type { IdentityDeps } from '#deps.ts';

/** Gives an account the limits of a business, or takes them away. A repeat changes nothing. Throws not_found. */
export async function changeBusiness(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  caller: Caller,
  { userId, isBusiness }: { userId: string; isBusiness: boolean },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select(['full_name', 'is_business', 'is_admin'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    // An owner would otherwise raise the limits of their own wallet.
    if (!user || user.is_admin) throw new AppError('merchant_not_found');
    if (user.is_business === isBusiness) return;
    await trx
      .updateTable('users')
      .set({ is_business: isBusiness, updated_at: now() })
      .where('id', '=', userId)
      .execute();
    const action: AdminAction = {
      source: '/vuka/identity',
      caller,
      action: `user.${isBusiness ? 'made-business' : 'made-standard'}`,
      subject: { kind: 'user' as const, id: userId, label: user.full_name },
      before: { isBusiness: user.is_business },
      after: { isBusiness },
    };
    await recordAction(trx, action, now());
  });
}
