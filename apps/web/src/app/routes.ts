import { type ComponentType, createElement, lazy, useState } from 'react';
import { afterLoad } from '#shared/after-load.ts';
import { languageStarted, loadTexts } from '#shared/i18n/i18n.ts';

type Load = () => Promise<{ default: ComponentType }>;

interface Page {
  load: Load;
  Component: ComponentType;
}

/** The component of a page, by its name in its file. */
function page<Name extends string>(loadFile: () => Promise<Record<Name, ComponentType>>, name: Name): Page {
  let loaded: ComponentType | undefined;
  const load: Load = async () => {
    const { [name]: component } = await loadFile();
    // Wait for the texts that the page declared while loading, or it would first appear in English.
    await languageStarted();
    await loadTexts();
    loaded = component;
    return { default: component };
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
  auth: page(() => import('#pages/auth-page.tsx'), 'AuthPage'),
  dashboard: page(() => import('#pages/dashboard-page.tsx'), 'DashboardPage'),
  send: page(() => import('#pages/send-money-page.tsx'), 'SendMoneyPage'),
  profile: page(() => import('#pages/profile-page.tsx'), 'ProfilePage'),
  security: page(() => import('#pages/security-page.tsx'), 'SecurityPage'),
  resetPin: page(() => import('#pages/reset-pin-page.tsx'), 'ResetPinPage'),
  transactions: page(() => import('#pages/transactions-page.tsx'), 'TransactionsPage'),
  receipt: page(() => import('#pages/receipt-page.tsx'), 'ReceiptPage'),
  statement: page(() => import('#pages/statement-page.tsx'), 'StatementPage'),
  withdraw: page(() => import('#pages/withdraw-page.tsx'), 'WithdrawPage'),
  accounts: page(() => import('#pages/accounts-page.tsx'), 'AccountsPage'),
  verify: page(() => import('#pages/verify-page.tsx'), 'VerifyPage'),
  adminShell: page(() => import('./shell/admin-shell.tsx'), 'AdminShell'),
  admin: page(() => import('#pages/admin/overview-page.tsx'), 'OverviewPage'),
  adminDeposits: page(() => import('#pages/admin/deposits-page.tsx'), 'DepositsPage'),
  exchangeRates: page(() => import('#pages/admin/exchange-rates-page.tsx'), 'ExchangeRatesPage'),
  creditMerchant: page(() => import('#pages/admin/credit-merchant-page.tsx'), 'CreditMerchantPage'),
  merchants: page(() => import('#pages/admin/merchants-page.tsx'), 'MerchantsPage'),
  adminWithdrawals: page(() => import('#pages/admin/withdrawals-page.tsx'), 'WithdrawalsPage'),
  reconciliation: page(() => import('#pages/admin/reconciliation-page.tsx'), 'ReconciliationPage'),
  adminFees: page(() => import('#pages/admin/fees-page.tsx'), 'FeesPage'),
  adminLimits: page(() => import('#pages/admin/limits-page.tsx'), 'LimitsPage'),
  merchant: page(() => import('#pages/admin/merchant-page.tsx'), 'MerchantPage'),
  adminSettings: page(() => import('#pages/admin/settings-page.tsx'), 'SettingsPage'),
  integrationLogs: page(() => import('#pages/admin/integration-logs-page.tsx'), 'IntegrationLogsPage'),
  notifications: page(() => import('#pages/admin/notifications-page.tsx'), 'NotificationsPage'),
  transactionRecovery: page(() => import('#pages/admin/transaction-recovery-page.tsx'), 'TransactionRecoveryPage'),
  queues: page(() => import('#pages/admin/queues-page.tsx'), 'QueuesPage'),
  auditTrail: page(() => import('#pages/admin/audit-trail-page.tsx'), 'AuditTrailPage'),
  apiKeys: page(() => import('#pages/admin/api-keys-page.tsx'), 'ApiKeysPage'),
  failureLab: page(() => import('#pages/admin/failure-lab-page.tsx'), 'FailureLabPage'),
  debug: page(() => import('#pages/debug-page.tsx'), 'DebugPage'),
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
