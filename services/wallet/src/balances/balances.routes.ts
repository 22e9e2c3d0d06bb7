import { WalletTotals } from '@vuka/contracts/http/overview';
import { BalancesBatch, BalancesBatchResults, OperatorBalances } from '@vuka/contracts/internal/wallet';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Db } from '#db/schema.ts';
import { createWalletTotals, listBalances, listOperatorBalances } from './list-balances.ts';

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
  const totals = createWalletTotals(deps.db);
  app.get('/internal/wallet-totals', { schema: { response: { 200: WalletTotals } } }, () => totals());
  app.get(
    '/internal/operator-accounts',
    { config: { calledBy: ['transfers'] }, schema: { response: { 200: OperatorBalances } } },
    () => listOperatorBalances(deps.db),
  );
}
