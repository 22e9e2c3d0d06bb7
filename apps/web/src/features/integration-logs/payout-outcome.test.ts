import { expect, test } from 'vitest';
import { payoutOutcome } from './payout-outcome.ts';

const request = (status: string) => ({ operation: 'payout.initiate', requestBody: {}, responseBody: { status } });
const inquiry = (status: string) => ({
  operation: 'payout.status',
  requestBody: null,
  responseBody: { status: 'FOUND', data: { status } },
});
const callback = (status: string) => ({ operation: 'payout.callback', requestBody: { status }, responseBody: null });

test.each([
  ['a payout that was only accepted', [request('ACCEPTED')], 'underWay'],
  ['a payout that the provider does not know', [{ ...inquiry(''), responseBody: { status: 'NOT_FOUND' } }], 'underWay'],
  ['a request without an answer', [{ ...request(''), responseBody: { error: 'timeout' } }], 'underWay'],
  ['a payout that a callback completes', [request('ACCEPTED'), callback('COMPLETED')], 'paid'],
  ['a payout that an inquiry finds completed', [inquiry('COMPLETED')], 'paid'],
  ['a refused repeat of a payment', [request('REJECTED'), callback('COMPLETED')], 'paid'],
  ['a refused request', [request('REJECTED')], 'notPaid'],
  ['a payout that failed', [request('ACCEPTED'), callback('FAILED')], 'notPaid'],
] as const)('%s', (_, calls, outcome) => {
  expect(payoutOutcome(calls)).toBe(outcome);
});
