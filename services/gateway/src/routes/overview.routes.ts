import { AdminOverview, TransferSummary, WalletTotals } from '@vuka/contracts/http/overview';
import { DepositCount } from '@vuka/contracts/internal/admin';
import { Pricing } from '@vuka/contracts/internal/pricing';
import { BalancesBatchResults } from '@vuka/contracts/internal/wallet';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { inTime } from '#api/in-time.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';
import type { Signed } from '#guards/sessions.ts';
import { toRates } from './rates.routes.ts';

const PARTS = {
  identity: 'identity',
  wallet: 'wallet',
  transfers: 'transfers',
  transfersWorker: 'transfers-worker',
  rates: 'rates',
  admin: 'admin',
  integrationLog: 'integration-log',
} as const satisfies Record<keyof ApiDeps['services'], string>;

/** The administrators' dashboard, from every service at once. An unavailable part is missing, or not ready. */
export function overviewRoute(app: HttpApp, deps: ApiDeps): void {
  app.get(
    '/api/admin/overview',
    { schema: { tags: [ADMIN_TAG], summary: 'The dashboard, live', response: { 200: AdminOverview } } },
    async (request) => {
      const signed = await deps.sessions.requireAdmin(request);
      const [parts, answers] = await Promise.all([findReady(deps), ask(deps, signed)]);
      return { checkedAt: new Date().toISOString(), parts, ...answers };
    },
  );
}

async function findReady({ services, checks }: ApiDeps): Promise<AdminOverview['parts']> {
  const names = Object.keys(PARTS) as (keyof typeof PARTS)[];
  const own = inTime(Promise.all(Object.values(checks).map((check) => check())));
  const others = names.map((name) => inTime(services[name].get('/health/ready', z.unknown())));
  const [ownResults, ...answers] = await Promise.all([own, ...others]);
  return [
    { name: 'gateway', ready: ownResults?.every(Boolean) ?? false },
    ...names.map((name, index) => ({ name: PARTS[name], ready: answers[index] !== null })),
  ];
}

async function ask({ services }: ApiDeps, { user, caller }: Signed) {
  const [balances, recentDeposits, pricing, transfers, wallets] = await Promise.all([
    inTime(services.wallet.post('/internal/balances-batch', { items: [{ userId: user.id }] }, BalancesBatchResults)),
    inTime(services.admin.get('/internal/deposits/recent-count', DepositCount, { caller })),
    inTime(services.rates.get('/internal/pricing', Pricing)),
    inTime(services.transfers.get('/internal/transfer-summary', TransferSummary, { caller })),
    inTime(services.wallet.get('/internal/wallet-totals', WalletTotals)),
  ]);
  const own = balances?.results[0]?.balances;
  return {
    balances: own ? byCurrency(WALLET_CURRENCIES, (currency) => own[currency].available) : null,
    recentDeposits,
    currentRate: pricing && toRates(pricing),
    transfers,
    wallets,
  };
}
