import { BalancesBatch, BalancesBatchResults } from '@vuka/contracts/internal/wallet';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Db } from '#db/schema.ts';
import { listBalances } from './list-balances.ts';

export function balancesRoutes(app: HttpApp, deps: { db: Db }): void {
  app.route({
    method: 'POST',
    url: '/internal/balances-batch',
    config: { calledBy: ['gateway', 'transfers'] },
    schema: { body: BalancesBatch, response: { 200: BalancesBatchResults } },
    handler: async (request) => ({
      results: await listBalances(
        deps.db,
        request.body.items.map((item) => item.userId),
      ),
    }),
  });
}
