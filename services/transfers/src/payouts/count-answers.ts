import type { Metrics } from '@vuka/service-kit/metrics';
import type { PayoutProvider, StatusResult, SubmitResult } from './payout-provider.ts';

const ANSWERS = {
  submit: ['accepted', 'duplicate', 'rejected', 'ambiguous', 'not_sent'] satisfies SubmitResult['kind'][],
  status: ['found', 'not_found', 'ambiguous'] satisfies StatusResult['kind'][],
  callback: ['verified', 'unsigned', 'refused'],
};

/** Wraps a provider to count its answers and callbacks, each from 0: Prometheus sees no increase in a series that has just appeared. */
export function countAnswers(provider: PayoutProvider, metrics: Metrics): PayoutProvider {
  const answers = metrics.counter('vuka_provider_answers_total', 'Answers and callbacks of the payout provider', [
    'provider',
    'call',
    'answer',
  ]);
  const count = (call: string, answer: string, by = 1) => answers.inc({ provider: provider.id, call, answer }, by);
  for (const [call, all] of Object.entries(ANSWERS)) for (const answer of all) count(call, answer, 0);
  return {
    ...provider,
    async submit(...request) {
      const result = await provider.submit(...request);
      count('submit', result.kind);
      return result;
    },
    async status(...request) {
      const result = await provider.status(...request);
      count('status', result.kind);
      return result;
    },
    async readCallback(...request) {
      const result = await provider.readCallback(...request);
      count('callback', result.ok ? (result.isTrusted ? 'verified' : 'unsigned') : 'refused');
      return result;
    },
  };
}
