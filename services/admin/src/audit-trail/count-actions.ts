import type { Metrics } from '@vuka/service-kit/metrics';

/** What an alert watches (infra/observability/alerts.yml). */
export const ALERTED_ACTIONS = [
  'user.unlocked',
  'administrator.unlock-requested',
  'administrator.unlocked',
  'administrator.blocked',
  // One administrator did what takes two where there is another.
  'rates.updated-alone',
  'merchant.credited-alone',
  'deposit.made-alone',
  'settings.limits-raised-alone',
];

/** Counts what administrators do. An increase is seen from a figure that was there before, so alerted ones begin at 0. */
export function createActionCount(metrics: Metrics): (action: string) => void {
  const actions = metrics.counter('vuka_admin_actions_total', 'What administrators did', ['action']);
  for (const action of ALERTED_ACTIONS) actions.inc({ action }, 0);
  return (action) => actions.inc({ action });
}
