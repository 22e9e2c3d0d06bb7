import type { Metrics } from '@vuka/service-kit/metrics';
import { isFinal, statusOf } from './transfer.domain.ts';
import type { Transition } from './transition.store.ts';

/** From settlements that need no waiting to those that wait for a person. */
const BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 86_400];

/** Counts transfers that end, by type and status, and measures how long each took. Takes committed transitions only. */
export function createEndsObserver(metrics: Metrics): (taken: Transition[]) => void {
  const seconds = metrics.histogram('vuka_transfer_seconds', 'Time from the acceptance of a transfer to its end', {
    labels: ['type', 'status'],
    buckets: BUCKETS_SECONDS,
  });
  return (taken) => {
    for (const { from, to, at } of taken) {
      if (!isFinal(to)) continue;
      const labels = { type: from.transaction_type, status: statusOf(to) };
      seconds.observe(labels, (at.getTime() - from.created_at.getTime()) / 1_000);
    }
  };
}
