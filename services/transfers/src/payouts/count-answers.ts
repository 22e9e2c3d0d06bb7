import type { Metrics } from '@vuka/service-kit/metrics';
import type { PayoutProvider } from './payout-provider.ts';

/** Wraps a provider to count its answers and callbacks. */
export function countAnswers(provider: PayoutProvider, metrics: Metrics): PayoutProvider {
  const answers = metrics.counter('vuka_provider_answers_total', 'Answers and callbacks of the payout provider', [
    'provider',
    'call',
    'answer',
  ]);
  const count = (call: string, answer: string) => answers.inc({ provider: provider.id, call, answer });
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
      count('callback', result.ok ? 'verified' : 'refused');
      return result;
    },
  };
}
