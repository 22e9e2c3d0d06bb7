import { Merchant, MerchantAccount } from '@vuka/contracts/http/admin';
import { AppError } from '@vuka/service-kit/app-error';
import { adminOf, type HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { toggleBlock } from './toggle-block.ts';
import { unlock } from './unlock.ts';
import { findUser, selectUsers } from './user.store.ts';
import { toMerchant } from './user.view.ts';
import type { UserRoutesDeps } from './users.routes.ts';

const MerchantId = z.object({ id: z.uuid({ error: 'Merchant not found' }) });

/** What administrators see and do about merchants. */
export function merchantRoutes(app: HttpApp, deps: UserRoutesDeps): void {
  app.get('/internal/merchants', { schema: { response: { 200: z.array(Merchant) } } }, async (request) => {
    adminOf(request, deps.tokens);
    const users = await selectUsers(deps.db)
      .where('merchants.merchant_id', 'is not', null)
      .orderBy('users.id', 'desc')
      .execute();
    return users.map((user) => toMerchant(user, deps.now()));
  });
  app.post(
    '/internal/merchants/:id/toggle-block',
    { schema: { params: MerchantId, response: { 200: Merchant } } },
    async (request) => {
      const merchant = await toggleBlock(deps, adminOf(request, deps.tokens), request.params.id);
      deps.kickRelay();
      return toMerchant(merchant, deps.now());
    },
  );
  app.post(
    '/internal/merchants/:id/unlock',
    { schema: { params: MerchantId, response: { 200: Merchant } } },
    async (request) => {
      const merchant = await unlock(deps, adminOf(request, deps.tokens), request.params.id);
      deps.kickRelay();
      return toMerchant(merchant, deps.now());
    },
  );
  app.get(
    '/internal/merchants/:id',
    { schema: { params: MerchantId, response: { 200: MerchantAccount } } },
    async (request) => {
      adminOf(request, deps.tokens);
      const user = await findUser(deps.db, request.params.id);
      if (!user) throw new AppError('not_found', 'Merchant not found');
      const { max_pin_attempts: maxAttempts } = await deps.db
        .selectFrom('settings')
        .select('max_pin_attempts')
        .executeTakeFirstOrThrow();
      return {
        ...toMerchant(user, deps.now()),
        failedPinAttempts: user.pin_failed_attempts,
        maxPinAttempts: maxAttempts,
      };
    },
  );
}
