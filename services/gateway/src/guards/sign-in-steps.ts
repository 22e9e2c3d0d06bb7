import type { FactorState } from '@vuka/contracts/http/admin-role';

const VERIFY = ['/api/user', '/api/admin/second-factors', '/api/admin/second-factors/challenge', '/api/admin/step-up'];
const ENROL = [
  '/api/user',
  '/api/admin/second-factors',
  '/api/admin/step-up',
  '/api/admin/second-factors/passkey/begin',
  '/api/admin/second-factors/passkey',
  '/api/admin/second-factors/totp/begin',
  '/api/admin/second-factors/totp',
];
const OPEN: Partial<Record<FactorState, ReadonlySet<string>>> = { pending: new Set(VERIFY), enrol: new Set(ENROL) };

/**
 * Whether a route is open to an administrator in this state of the sign-in. Until the sign-in is complete, only the
 * calls that complete it are open: no other page, and not even the administrator's own wallet.
 */
export function isOpenWhile(factor: FactorState, route: string | undefined): boolean {
  const open = OPEN[factor];
  return !open || open.has(route ?? '');
}
