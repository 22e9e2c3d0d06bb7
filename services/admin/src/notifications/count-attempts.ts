import type { Metrics } from '@vuka/service-kit/metrics';

const CHANNELS = ['email', 'sms'] as const;
const RESULTS = ['sent', 'failed'] as const;

export type CountAttempt = (attempt: { channel: (typeof CHANNELS)[number]; result: (typeof RESULTS)[number] }) => void;

/** Counts attempts to send, each series from 0: Prometheus sees no increase in a series that has just appeared. */
export function createAttemptCount(metrics: Metrics): CountAttempt {
  const attempts = metrics.counter(
    'vuka_admin_notification_attempts_total',
    'Notifications sent, and first attempts that failed',
    ['channel', 'result'],
  );
  for (const channel of CHANNELS) for (const result of RESULTS) attempts.inc({ channel, result }, 0);
  return (attempt) => attempts.inc(attempt);
}
