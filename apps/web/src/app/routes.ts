import { type ComponentType, createElement, lazy, useState } from 'react';
import { afterLoad } from '#shared/after-load.ts';
import { languageStarted, loadTexts } from '#shared/i18n/i18n.ts';

type Load = () => Promise<{ default: ComponentType }>;

interface Page {
  load: Load;
  Component: ComponentType;
}

function page(loadPage: Load): Page {
  let loaded: ComponentType | undefined;
  const load: Load = async () => {
    const file = await loadPage();
    // Wait for the texts that the page declared while loading, or it would first appear in English.
    await languageStarted();
    await loadTexts();
    loaded = file.default;
    return file;
  };
  const Lazy = lazy(load);
  return {
    load,
    // Renders a loaded page at once. `lazy` would show a fallback first, and React keeps a fallback for 300 ms.
    Component() {
      const [Known] = useState(() => loaded ?? Lazy);
      return createElement(Known);
    },
  };
}

export const PAGE = {
  auth: page(() => import('#pages/auth-page.tsx').then((file) => ({ default: file.AuthPage }))),
  dashboard: page(() => import('#pages/dashboard-page.tsx').then((file) => ({ default: file.DashboardPage }))),
  send: page(() => import('#pages/send-money-page.tsx').then((file) => ({ default: file.SendMoneyPage }))),
  profile: page(() => import('#pages/profile-page.tsx').then((file) => ({ default: file.ProfilePage }))),
  security: page(() => import('#pages/security-page.tsx').then((file) => ({ default: file.SecurityPage }))),
  resetPin: page(() => import('#pages/reset-pin-page.tsx').then((file) => ({ default: file.ResetPinPage }))),
  transactions: page(() => import('#pages/transactions-page.tsx').then((file) => ({ default: file.TransactionsPage }))),
  receipt: page(() => import('#pages/receipt-page.tsx').then((file) => ({ default: file.ReceiptPage }))),
  statement: page(() => import('#pages/statement-page.tsx').then((file) => ({ default: file.StatementPage }))),
  withdraw: page(() => import('#pages/withdraw-page.tsx').then((file) => ({ default: file.WithdrawPage }))),
  accounts: page(() => import('#pages/accounts-page.tsx').then((file) => ({ default: file.AccountsPage }))),
  verify: page(() => import('#pages/verify-page.tsx').then((file) => ({ default: file.VerifyPage }))),
  adminShell: page(() => import('./shell/admin-shell.tsx').then((file) => ({ default: file.AdminShell }))),
  admin: page(() => import('#pages/admin/overview-page.tsx').then((file) => ({ default: file.OverviewPage }))),
  adminDeposits: page(() => import('#pages/admin/deposits-page.tsx').then((file) => ({ default: file.DepositsPage }))),
  exchangeRates: page(() =>
    import('#pages/admin/exchange-rates-page.tsx').then((file) => ({ default: file.ExchangeRatesPage })),
  ),
  creditMerchant: page(() =>
    import('#pages/admin/credit-merchant-page.tsx').then((file) => ({ default: file.CreditMerchantPage })),
  ),
  merchants: page(() => import('#pages/admin/merchants-page.tsx').then((file) => ({ default: file.MerchantsPage }))),
  adminWithdrawals: page(() =>
    import('#pages/admin/withdrawals-page.tsx').then((file) => ({ default: file.WithdrawalsPage })),
  ),
  reconciliation: page(() =>
    import('#pages/admin/reconciliation-page.tsx').then((file) => ({ default: file.ReconciliationPage })),
  ),
  adminFees: page(() => import('#pages/admin/fees-page.tsx').then((file) => ({ default: file.FeesPage }))),
  adminLimits: page(() => import('#pages/admin/limits-page.tsx').then((file) => ({ default: file.LimitsPage }))),
  merchant: page(() => import('#pages/admin/merchant-page.tsx').then((file) => ({ default: file.MerchantPage }))),
  adminSettings: page(() => import('#pages/admin/settings-page.tsx').then((file) => ({ default: file.SettingsPage }))),
  integrationLogs: page(() =>
    import('#pages/admin/integration-logs-page.tsx').then((file) => ({ default: file.IntegrationLogsPage })),
  ),
  notifications: page(() =>
    import('#pages/admin/notifications-page.tsx').then((file) => ({ default: file.NotificationsPage })),
  ),
  transactionRecovery: page(() =>
    import('#pages/admin/transaction-recovery-page.tsx').then((file) => ({ default: file.TransactionRecoveryPage })),
  ),
  queues: page(() => import('#pages/admin/queues-page.tsx').then((file) => ({ default: file.QueuesPage }))),
  auditTrail: page(() =>
    import('#pages/admin/audit-trail-page.tsx').then((file) => ({ default: file.AuditTrailPage })),
  ),
  apiKeys: page(() => import('#pages/admin/api-keys-page.tsx').then((file) => ({ default: file.ApiKeysPage }))),
  failureLab: page(() =>
    import('#pages/admin/failure-lab-page.tsx').then((file) => ({ default: file.FailureLabPage })),
  ),
  debug: page(() => import('#pages/debug-page.tsx').then((file) => ({ default: file.DebugPage }))),
} as const;

const PAGE_OF_PATH: readonly [RegExp, Page][] = [
  [/^\/(send)?$/, PAGE.send],
  [/^\/auth$/, PAGE.auth],
  [/^\/dashboard$/, PAGE.dashboard],
  [/^\/profile$/, PAGE.profile],
  [/^\/transactions$/, PAGE.transactions],
  [/^\/transaction\//, PAGE.receipt],
  [/^\/statement$/, PAGE.statement],
  [/^\/withdraw$/, PAGE.withdraw],
  [/^\/accounts$/, PAGE.accounts],
  [/^\/verify\//, PAGE.verify],
  [/^\/security$/, PAGE.security],
  [/^\/reset-pin$/, PAGE.resetPin],
];

/**
 * Loads the page of an address in parallel with the first data. The component that renders the page handles a failure.
 */
export async function preloadPage(pathname: string): Promise<void> {
  await PAGE_OF_PATH.find(([pattern]) => pattern.test(pathname))?.[1]
    .load()
    .catch(() => undefined);
}

/** Prefetches the pages one tap away, one by one while the browser is idle, unless the user saves data. */
export function prefetchNeighbours(): void {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (connection?.saveData) return;
  const neighbours = [PAGE.dashboard, PAGE.send, PAGE.receipt, PAGE.transactions, PAGE.profile];
  const loadNext = (): void => {
    // Stop at the first failure. A tap on the link requests the page again.
    neighbours
      .shift()
      ?.load()
      .then(loadNextWhenIdle, () => undefined);
  };
  const loadNextWhenIdle = (): void => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(loadNext);
    else setTimeout(loadNext, 500);
  };
  afterLoad(3_000, loadNextWhenIdle);
}
