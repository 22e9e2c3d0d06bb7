import { Balances } from '@vuka/contracts/http/balances';
import { BalancesBatchResults, type UserBalances } from '@vuka/contracts/internal/wallet';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { createBatcher } from '@vuka/service-kit/batcher';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';

/** The signed-in user's available balances. */
export function balanceRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  const tags = ['account'];
  const balances = createBatcher<{ userId: string }, UserBalances>({
    async run(items) {
      const answer = await services.wallet.post('/internal/balances-batch', { items }, BalancesBatchResults, {
        idempotent: true,
      });
      return answer.results;
    },
  });
  app.get(
    '/api/balances',
    { schema: { tags, summary: 'Available balances', response: { 200: Balances } } },
    async (request) => {
      const { user } = await sessions.require(request);
      const { balances: own } = await balances.submit({ userId: user.id });
      return {
        defaultCurrency: user.defaultCurrency,
        balances: byCurrency(WALLET_CURRENCIES, (currency) => own[currency].available),
      };
    },
  );
}
