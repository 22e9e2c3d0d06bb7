import type { AuditAction } from '@vuka/contracts/http/audit-actions';
import type { Metrics } from '@vuka/service-kit/metrics';

/** The actions that alerts watch (infra/observability/alerts.yml). */
export const ALERTED_ACTIONS: readonly AuditAction[] = [
  'user.unlocked',
  'administrator.unlock-requested',
  'administrator.unlocked',
  'administrator.blocked',
  'administrator.created',
  'administrator.pin-reset',
  'administrator.factor-removed',
  'administrator.factors-reset',
  'administrator.role-proposed',
  'administrator.role-changed',
  'rates.updated',
  'rates.approved',
  // A single administrator did what takes two if there is another.
  'rates.updated-alone',
  'merchant.credited-alone',
  'deposit.made-alone',
  'adjustment.made-alone',
  'settings.limits-raised-alone',
  'limits.raised-alone',
  'administrator.role-changed-alone',
];

/**
 * Counts administrators' actions. Prometheus only sees an increase of an existing series, so alerted actions start at
 * 0.
 */
export function createActionCount(metrics: Metrics): (action: string) => void {
  const actions = metrics.counter('vuka_admin_actions_total', 'Actions of administrators', ['action']);
  for (const action of ALERTED_ACTIONS) actions.inc({ action }, 0);
  return (action) => actions.inc({ action });
}
