import { expect, test } from 'vitest';
import { differsFrom } from './payout.domain.ts';
import type { PayoutReport } from './payout-provider.ts';

const expected = { amount: 100_000n, currency: 'TZS', destination_account: '255763456789' };
const report = (told: Partial<PayoutReport>): PayoutReport => ({ clientPayoutId: 'p', state: 'completed', ...told });

test.each(['1000', '1000.00', '1000.0000', '1000.0'])('%s is the amount that was ordered', (amount) => {
  expect(differsFrom(expected, report({ amount, currency: 'TZS', msisdn: '255763456789' }))).toBeNull();
});

test.each<[string, Partial<PayoutReport>]>([
  ['amount', { amount: '1000.01' }],
  ['amount', { amount: 'a lot' }],
  ['amount', { amount: '1000.001' }],
  ['currency', { amount: '1000', currency: 'KES' }],
  ['msisdn', { msisdn: '255763456780' }],
])('another %s is seen', (what, told) => {
  expect(differsFrom(expected, report(told))).toBe(what);
});

test.each(['0763456789', '763456789', '+255763456789', '00255763456789', '255 763 456 789'])(
  '%s is the number that was ordered',
  (msisdn) => {
    expect(differsFrom(expected, report({ msisdn }))).toBeNull();
  },
);

test.each(['254763456789', '0763456780', '63456789', '', '255'])('%s is another number', (msisdn) => {
  expect(differsFrom(expected, report({ msisdn }))).toBe('msisdn');
});
