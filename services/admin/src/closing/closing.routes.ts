import { accountActorOf } from '@vuka/access/caller';
import { Id, Ok } from '@vuka/contracts/http/common';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';

/** Whether the register permits closing an account: no deposit or credit to it may be open. */
export function closingRoutes(app: HttpApp, { db }: { db: Db }): void {
  app.get(
    '/internal/accounts/:userId/may-close',
    { schema: { params: z.object({ userId: Id }), response: { 200: Ok } } },
    async (request) => {
      const { userId } = request.params;
      accountActorOf(request, { userId, right: 'merchants.close' });
      const waiting = await db
        .selectFrom('admin_deposits')
        .select('id')
        .where('beneficiary_user_id', '=', userId)
        .where('transaction_id', 'is', null)
        .where('ended_at', 'is', null)
        .where('approval', '!=', 'refused')
        .limit(1)
        .execute();
      if (waiting.length > 0) throw new AppError('account_awaits_credit');
      return { ok: true as const };
    },
  );
}
