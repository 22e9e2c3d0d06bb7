export const PATHS = {
  auth: '/auth',
  send: '/',
  sendAlias: '/send',
  dashboard: '/dashboard',
  profile: '/profile',
  security: '/security',
  resetPin: '/reset-pin',
  transactions: '/transactions',
  statement: '/statement',
  withdraw: '/withdraw',
  accounts: '/accounts',
  admin: '/admin',
  adminDeposits: '/admin/deposits',
  exchangeRates: '/admin/exchange-rates',
  creditMerchant: '/admin/credit-merchant',
  merchants: '/admin/merchants',
  adminWithdrawals: '/admin/withdrawals',
  adminFees: '/admin/fees',
  adminLimits: '/admin/limits',
  reconciliation: '/admin/reconciliation',
  adjustments: '/admin/adjustments',
  adminSettings: '/admin/settings',
  integrationLogs: '/admin/integration-logs',
  transactionRecovery: '/admin/transaction-recovery',
  notifications: '/admin/notifications',
  queues: '/admin/queues',
  auditTrail: '/admin/audit-trail',
  apiKeys: '/admin/api-keys',
  failureLab: '/admin/failure-lab',
  debug: '/debug',
} as const;

const ADMIN_PAGES: readonly string[] = [...Object.values(PATHS), `${PATHS.admin}/transactions`];

/** Whether an address in the admin area is one of no page. The router ignores case and a slash at the end. */
export function isUnknownAdminPath(pathname: string): boolean {
  const [area, page, ...more] = pathname.toLowerCase().split('/').filter(Boolean);
  if (`/${area}` !== PATHS.admin || page === undefined) return false;
  const hasDetails = ['merchants', 'transactions'].includes(page);
  return !ADMIN_PAGES.includes(`${PATHS.admin}/${page}`) || more.length > (hasDetails ? 1 : 0);
}

/** The state with which a link opens the send page: a wallet, and for a repeat also the details. */
export interface TransferToSend {
  sourceCurrency: string;
  /** Digits of a whole amount. */
  amount?: string;
  /** The recipient's local digits. */
  phone?: string;
}

export function receiptPath(id: string): string {
  return `/transaction/${encodeURIComponent(id)}`;
}

/** Everything about one merchant, for administrators. */
export function merchantPath(id: string): string {
  return `${PATHS.merchants}/${encodeURIComponent(id)}`;
}

/** The journal of one transaction, for administrators. */
export function adminTransactionPath(id: string): string {
  return `${PATHS.admin}/transactions/${encodeURIComponent(id)}`;
}

/** The transactions to a phone number, for administrators. */
export function transfersToPath(phone: string): string {
  return `${PATHS.admin}/transactions?${new URLSearchParams({ recipient: phone })}`;
}

/** The public page that verifies a receipt. */
export function verifyPath(code: string): string {
  return `/verify/${encodeURIComponent(code)}`;
}

/**
 * The sign-in address that returns the visitor to `from` afterwards. A visitor who opened the start page needs no way
 * back, unless they were using it when the session ended.
 */
export function signInPath(from: string, hasExpired: boolean): string {
  return from === PATHS.send && !hasExpired ? PATHS.auth : `${PATHS.auth}?next=${encodeURIComponent(from)}`;
}

const ORIGIN = 'https://vuka.invalid';

/** A path on this site, or undefined: `next` comes from the address bar, so it must not lead elsewhere. */
export function safeNextPath(next: string | null): string | undefined {
  if (!next?.startsWith('/') || !URL.canParse(next, ORIGIN)) return undefined;
  const url = new URL(next, ORIGIN);
  // The URL parser accepts "/.//evil.test" as a path of this site, but normalises it to "//evil.test", which is another
  // host.
  if (url.origin !== ORIGIN || url.pathname.startsWith('//') || url.pathname === PATHS.auth) return undefined;
  return url.pathname + url.search;
}
