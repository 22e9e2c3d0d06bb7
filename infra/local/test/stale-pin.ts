import { until } from '@vuka/test-kit/until';
import type { ApiClient } from './api-client.ts';

/** A guarded call without effect: the account does not exist. */
export const GUARDED = '/api/admin/merchants/0190a000-0000-7000-8000-00000000dead/unlock';

/** Waits until an administrator's PIN is no longer recent, by `VUKA_STEP_UP_SECONDS`. */
export function untilPinIsStale(admin: ApiClient): Promise<unknown> {
  const isStale = async () => (await admin.post(GUARDED)).body.code === 'step_up_required';
  return until(isStale, { timeoutMs: 30_000, everyMs: 100, what: 'the PIN is no longer recent' });
}
