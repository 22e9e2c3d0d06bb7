import { Merchant, MerchantAccount, MerchantDetail } from '@vuka/contracts/http/admin';
import { Administrators, UnlockRequested } from '@vuka/contracts/http/administrators';
import { UnlockAnswer } from '@vuka/contracts/internal/identity';
import { TransferItems } from '@vuka/contracts/internal/transfers';
import { BalancesBatchResults } from '@vuka/contracts/internal/wallet';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { ADMIN_TAG } from '#access/admin-guard.ts';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { inTime } from '#api/in-time.ts';

const tags = [ADMIN_TAG];

/** One merchant: who they are, what they have, what they did, and their PIN's lock; and the locks of administrators. */
export function merchantRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/merchants/:id',
    {
      schema: { tags, summary: 'Everything about one merchant', params: AnyId, response: { 200: MerchantDetail } },
    },
    async (request) => {
      const { callerToken: caller } = await sessions.requireAdmin(request);
      const id = knownForm(request.params.id, 'Merchant not found');
      const [merchant, wallets, transfers] = await Promise.all([
        services.identity.get(`/internal/merchants/${id}`, MerchantAccount, { caller }),
        inTime(services.wallet.post('/internal/balances-batch', { items: [{ userId: id }] }, BalancesBatchResults)),
        inTime(services.transfers.get(`/internal/users/${id}/recent-transfers`, TransferItems, { caller })),
      ]);
      return {
        merchant,
        balances: wallets?.results[0]?.balances ?? null,
        recentTransactions: transfers?.items ?? null,
      };
    },
  );
  app.post(
    '/api/admin/merchants/:id/unlock',
    {
      schema: {
        tags,
        summary:
          'Let an account that gave too many wrong PINs try again; for an administrator, 202 until a second one asks',
        params: AnyId,
        response: { 200: Merchant, 202: UnlockRequested },
      },
    },
    async (request, reply) => {
      const { callerToken: caller } = await sessions.requireAdmin(request);
      const path = `/internal/merchants/${knownForm(request.params.id, 'Merchant not found')}/unlock`;
      const answer = await services.identity.post(path, {}, UnlockAnswer, { caller });
      return 'unlockRequest' in answer ? reply.code(202).send(answer) : reply.code(200).send(answer);
    },
  );
  app.get(
    '/api/admin/administrators',
    {
      schema: {
        tags,
        summary: 'The administrators, and what can be done about a lock',
        response: { 200: Administrators },
      },
    },
    async (request) => {
      const { callerToken: caller } = await sessions.requireAdmin(request);
      return services.identity.get('/internal/administrators', Administrators, { caller });
    },
  );
}
