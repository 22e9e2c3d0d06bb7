import type { AdminRole } from './admin-role.ts';

/** The roles that can move money: joining or leaving them takes a second owner, if there is one. */
export const POWERFUL_ROLES: readonly AdminRole[] = ['owner', 'finance'];

const [FINANCE, SUPPORT, OPERATIONS, AUDITOR] = ['finance', 'support', 'operations', 'auditor'] as const;

/**
 * What administrators may do, and the roles that may besides owners, who may do everything. A right whose name ends in
 * `read` changes nothing; auditors have those, and the care of their own credentials.
 */
const RIGHTS = {
  'own-credentials': [FINANCE, SUPPORT, OPERATIONS, AUDITOR],
  'overview.read': [FINANCE, SUPPORT, OPERATIONS, AUDITOR],
  'deposits.read': [FINANCE, AUDITOR],
  'deposits.make': [FINANCE],
  'credits.read': [FINANCE, SUPPORT, AUDITOR],
  'credits.make': [FINANCE],
  'credits.decide': [FINANCE],
  'rates.read': [FINANCE, SUPPORT, AUDITOR],
  'rates.set': [FINANCE],
  'rates.decide': [FINANCE],
  'fees.read': [FINANCE, SUPPORT, AUDITOR],
  'fees.set': [FINANCE],
  'withdrawals.read': [FINANCE, SUPPORT, AUDITOR],
  'withdrawals.decide': [FINANCE],
  'reconciliation.read': [FINANCE, OPERATIONS, AUDITOR],
  'reconciliation.run': [FINANCE, OPERATIONS],
  'reconciliation.decide': [FINANCE],
  'ledger.read': [FINANCE, OPERATIONS, AUDITOR],
  'merchants.read': [FINANCE, SUPPORT, AUDITOR],
  'merchants.block': [SUPPORT],
  'merchants.close': [SUPPORT],
  'merchants.export': [SUPPORT],
  'notifications.read': [SUPPORT, AUDITOR],
  'logs.read': [SUPPORT, OPERATIONS, AUDITOR],
  'logs.generate': [OPERATIONS],
  'recovery.read': [SUPPORT, OPERATIONS, AUDITOR],
  'recovery.retry': [OPERATIONS],
  'queues.read': [OPERATIONS, AUDITOR],
  'queues.settle': [OPERATIONS],
  'failure-lab.read': [OPERATIONS, AUDITOR],
  'failure-lab.switch': [OPERATIONS],
  'limits.read': [FINANCE, SUPPORT, AUDITOR],
  'limits.change': [],
  'limits.decide': [],
  'settings.read': [AUDITOR],
  'settings.change': [],
  'api-keys.read': [AUDITOR],
  'api-keys.manage': [],
  'audit-trail.read': [AUDITOR],
  'administrators.read': [AUDITOR],
  'administrators.manage': [],
} as const satisfies Record<string, readonly AdminRole[]>;

export type AdminRight = keyof typeof RIGHTS;

/** The right that each call of administrators needs. A call without a row is refused to everyone. */
export const ADMIN_CALLS = {
  'GET /api/admin/overview': 'overview.read',
  'GET /api/admin/deposits': 'deposits.read',
  'POST /api/admin/deposit': 'deposits.make',
  'GET /api/admin/credits': 'credits.read',
  'POST /api/admin/credit-balance': 'credits.make',
  'POST /api/admin/credits/:id/approve': 'credits.decide',
  'POST /api/admin/credits/:id/refuse': 'credits.decide',
  'GET /api/rates/history': 'rates.read',
  'GET /api/admin/rate-proposals': 'rates.read',
  'POST /api/rates/update': 'rates.set',
  'POST /api/admin/rate-proposals/:id/approve': 'rates.decide',
  'POST /api/admin/rate-proposals/:id/refuse': 'rates.decide',
  'GET /api/admin/fees': 'fees.read',
  'POST /api/admin/fees': 'fees.set',
  'POST /api/admin/fees/:id/remove': 'fees.set',
  'GET /api/admin/withdrawals': 'withdrawals.read',
  'POST /api/admin/withdrawals/:id/take': 'withdrawals.decide',
  'POST /api/admin/withdrawals/:id/approve': 'withdrawals.decide',
  'POST /api/admin/withdrawals/:id/refuse': 'withdrawals.decide',
  'POST /api/admin/withdrawals/:id/fail': 'withdrawals.decide',
  'POST /api/admin/withdrawals/:id/complete': 'withdrawals.decide',
  'GET /api/admin/reconciliation': 'reconciliation.read',
  'POST /api/admin/reconciliation/runs': 'reconciliation.run',
  'POST /api/admin/reconciliation/exceptions/:id/take': 'reconciliation.decide',
  'POST /api/admin/reconciliation/exceptions/:id/resolve': 'reconciliation.decide',
  'GET /api/admin/ledger/audit': 'ledger.read',
  'GET /api/admin/merchants': 'merchants.read',
  'GET /api/admin/merchants/:id': 'merchants.read',
  'POST /api/admin/merchants/:id/toggle-block': 'merchants.block',
  'POST /api/admin/merchants/:id/unlock': 'merchants.block',
  'POST /api/admin/merchants/:id/close': 'merchants.close',
  'POST /api/admin/merchants/:id/export': 'merchants.export',
  'GET /api/admin/notifications': 'notifications.read',
  'GET /api/integration-logs/recent': 'logs.read',
  'GET /api/integration-logs/log/:id': 'logs.read',
  'GET /api/admin/stuck-transactions': 'recovery.read',
  'GET /api/admin/transactions/:id/recovery': 'recovery.read',
  'POST /api/admin/transactions/:id/recovery/inquire': 'recovery.retry',
  'POST /api/admin/transactions/:id/retry': 'recovery.retry',
  'GET /api/admin/queues': 'queues.read',
  'GET /api/admin/queues/:name/dead': 'queues.read',
  'POST /api/admin/queues/:name/dead/:id/requeue': 'queues.settle',
  'POST /api/admin/queues/:name/dead/:id/drop': 'queues.settle',
  'GET /api/admin/failure-lab': 'failure-lab.read',
  'POST /api/admin/failure-lab/off': 'failure-lab.switch',
  'POST /api/admin/failure-lab/:scenario/on': 'failure-lab.switch',
  'POST /api/admin/failure-lab/:scenario/off': 'failure-lab.switch',
  'GET /api/admin/system-settings': 'settings.read',
  'POST /api/admin/system-settings': 'settings.change',
  'GET /api/admin/notification-settings': 'settings.read',
  'POST /api/admin/notification-settings': 'settings.change',
  'GET /api/admin/limits': 'limits.read',
  'POST /api/admin/limits': 'limits.change',
  'GET /api/admin/merchants/:id/limits': 'merchants.read',
  'POST /api/admin/merchants/:id/business': 'limits.change',
  'GET /api/admin/tier-limit-proposals': 'limits.read',
  'POST /api/admin/tier-limit-proposals/:id/approve': 'limits.decide',
  'POST /api/admin/tier-limit-proposals/:id/refuse': 'limits.decide',
  'GET /api/admin/limit-proposals': 'limits.read',
  'POST /api/admin/limit-proposals/:id/approve': 'limits.decide',
  'POST /api/admin/limit-proposals/:id/refuse': 'limits.decide',
  'GET /api/admin/api-keys': 'api-keys.read',
  'POST /api/admin/api-keys': 'api-keys.manage',
  'POST /api/admin/api-keys/:id/revoke': 'api-keys.manage',
  'GET /api/admin/audit-trail': 'audit-trail.read',
  'GET /api/admin/administrators': 'administrators.read',
  'POST /api/admin/administrators/:id/role': 'administrators.manage',
  'POST /api/admin/role-proposals/:id/approve': 'administrators.manage',
  'POST /api/admin/role-proposals/:id/refuse': 'administrators.manage',
  'POST /api/admin/change-pin': 'own-credentials',
  'POST /api/admin/step-up': 'own-credentials',
  'GET /api/admin/second-factors': 'own-credentials',
  'POST /api/admin/second-factors/challenge': 'own-credentials',
  'POST /api/admin/second-factors/passkey/begin': 'own-credentials',
  'POST /api/admin/second-factors/passkey': 'own-credentials',
  'POST /api/admin/second-factors/totp/begin': 'own-credentials',
  'POST /api/admin/second-factors/totp': 'own-credentials',
  'POST /api/admin/second-factors/:id/remove': 'own-credentials',
} as const satisfies Record<string, AdminRight>;

/** Whether an administrator of this role may do this; null is an administrator whose role is unknown. */
export function mayDo(role: AdminRole | null, right: AdminRight): boolean {
  return role === 'owner' || (role !== null && (RIGHTS[right] as readonly AdminRole[]).includes(role));
}

/** The right that a call needs, by its method and its path with `:names`; undefined for a call without a row. */
export function rightFor(method: string, path: string): AdminRight | undefined {
  const call = `${method === 'HEAD' ? 'GET' : method} ${path}`;
  return Object.hasOwn(ADMIN_CALLS, call) ? ADMIN_CALLS[call as keyof typeof ADMIN_CALLS] : undefined;
}
