import { UnlockRequested } from '@vuka/contracts/http/administrators';
import { BlockChange, Merchant, MerchantAccount, MerchantDetail, MerchantsQuery } from '@vuka/contracts/http/merchants';
import { MerchantPage, UnlockAnswer } from '@vuka/contracts/internal/identity';
import { TransferItems, UserVolumes } from '@vuka/contracts/internal/transfers';
import { BalancesBatchResults } from '@vuka/contracts/internal/wallet';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { inTime } from '#api/in-time.ts';
import { nextLink, searchParams } from '#api/search-params.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** Merchants: the list, the details of one, blocking and unlocking. */
export function merchantRoutes(app: HttpApp, { sessions, services, merchantLists }: ApiDeps): void {
  app.get(
    '/api/admin/merchants',
    {
      schema: {
        tags,
        summary:
          'Merchants, paged if a limit is given, which more than 10,000 need; x-total-count is the number of matches',
        querystring: MerchantsQuery,
        response: { 200: z.array(Merchant) },
      },
    },
    async (request, reply) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/merchants?${searchParams(request.query)}`;
      const page = await merchantLists.get(path, MerchantPage, { caller });
      reply.header('x-total-count', page.total);
      reply.headers(nextLink('/api/admin/merchants', request.query, page.nextCursor));
      return page.merchants;
    },
  );
  app.post(
    '/api/admin/merchants/:id/toggle-block',
    {
      schema: {
        tags,
        summary: 'Block or unblock an account: as isBlocked says; without a body the state is toggled',
        params: AnyId,
        body: BlockChange,
        response: { 200: Merchant },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/merchants/${knownForm(request.params.id, 'merchant_not_found')}/toggle-block`;
      return services.identity.post(path, request.body ?? {}, Merchant, { caller });
    },
  );
  app.get(
    '/api/admin/merchants/:id',
    {
      schema: { tags, summary: 'Details of one merchant', params: AnyId, response: { 200: MerchantDetail } },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const id = knownForm(request.params.id, 'merchant_not_found');
      const [merchant, wallets, transfers, volumes] = await Promise.all([
        services.identity.get(`/internal/merchants/${id}`, MerchantAccount, { caller }),
        inTime(services.wallet.post('/internal/balances-batch', { items: [{ userId: id }] }, BalancesBatchResults)),
        inTime(services.transfers.get(`/internal/users/${id}/recent-transfers`, TransferItems, { caller })),
        inTime(services.transfers.get(`/internal/users/${id}/volumes`, UserVolumes, { caller })),
      ]);
      return {
        merchant,
        balances: wallets?.results[0]?.balances ?? null,
        recentTransactions: transfers?.items ?? null,
        volumes: volumes?.days ?? null,
      };
    },
  );
  app.post(
    '/api/admin/merchants/:id/unlock',
    {
      schema: {
        tags,
        summary: 'Unlock an account after too many wrong PINs; for an administrator, 202 until a second one confirms',
        params: AnyId,
        response: { 200: Merchant, 202: UnlockRequested },
      },
    },
    async (request, reply) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/merchants/${knownForm(request.params.id, 'merchant_not_found')}/unlock`;
      const answer = await services.identity.post(path, {}, UnlockAnswer, { caller });
      return 'unlockRequest' in answer ? reply.code(202).send(answer) : reply.code(200).send(answer);
    },
  );
}
