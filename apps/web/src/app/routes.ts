import { afterLoad } from '#shared/after-load.ts';
import { type Page, page } from './page.ts';

/** The pages of everyone. Those of administrators are in admin-routes.tsx, which no merchant loads. */
export const PAGE = {
  // No styles to load: `auth.html` contains them, and so do the styles of all pages.
  auth: page(
    () => import('#pages/auth-page.tsx'),
    'AuthPage',
    () => Promise.resolve(),
  ),
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
  admin: page(() => import('./admin-routes.tsx'), 'AdminRoutes'),
  debug: page(() => import('#pages/debug-page.tsx'), 'DebugPage'),
} as const;

/** The frame of the pages behind the sign-in. */
export const SHELL = page(() => import('./shell/signed-in.tsx'), 'SignedIn');

const OPEN_TO_ALL = /^\/(auth|reset-pin|verify\/.*)$/;

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
  const own = PAGE_OF_PATH.find(([pattern]) => pattern.test(pathname))?.[1];
  const frame = OPEN_TO_ALL.test(pathname) ? undefined : SHELL;
  await Promise.all([own, frame].map((each) => each?.load().catch(() => undefined)));
}

/** Prefetches the pages one tap away, one by one while the browser is idle, unless the user saves data. */
export function prefetchNeighbours(): void {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (connection?.saveData) return;
  const neighbours = [SHELL, PAGE.dashboard, PAGE.send, PAGE.receipt, PAGE.transactions, PAGE.profile];
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
