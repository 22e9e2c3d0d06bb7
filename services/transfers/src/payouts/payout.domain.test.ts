import { describe, expect, test } from 'vitest';
import { misfitOf } from './payout.domain.ts';
import type { PayoutReport } from './payout-provider.ts';

const expected = { amount: 100_000n, currency: 'TZS', destination_account: '255763456789' };
const figures = { amount: '1000', currency: 'TZS', msisdn: '255763456789' };
const report = (told: Partial<PayoutReport>): PayoutReport => ({
  clientPayoutId: 'p',
  state: 'completed',
  ...figures,
  ...told,
});

test.each(['1000', '1000.00', '1000.0000', '1000.0', '1000.'])('%s equals the ordered amount', (amount) => {
  expect(misfitOf(expected, report({ amount }))).toBeNull();
});

test.each<[string, Partial<PayoutReport>]>([
  ['different_amount', { amount: '1000.01' }],
  ['different_amount', { amount: 'a lot' }],
  ['different_amount', { amount: '1000.001' }],
  ['different_amount', { amount: '1000.00.00' }],
  ['different_amount', { amount: `1000.${'0'.repeat(60_000)}1` }],
  ['different_currency', { currency: 'KES' }],
  ['different_msisdn', { msisdn: '255763456780' }],
])('%s is detected in %o', (what, told) => {
  expect(misfitOf(expected, report(told))).toBe(what);
});

test.each(['0763456789', '763456789', '+255763456789', '00255763456789', '255 763 456 789'])(
  '%s equals the ordered number',
  (msisdn) => {
    expect(misfitOf(expected, report({ msisdn }))).toBeNull();
  },
);

test.each(['254763456789', '0763456780', '63456789', '', '255'])('%s is a different number', (msisdn) => {
  expect(misfitOf(expected, report({ msisdn }))).toBe('different_msisdn');
});

describe.each(['amount', 'currency', 'msisdn'] as const)('a report without its %s', (missing) => {
  const { [missing]: _, ...others } = figures;

  test.each(['completed', 'failed'] as const)('cannot end a payout as %s', (state) => {
    expect(misfitOf(expected, { clientPayoutId: 'p', state, ...others })).toBe('missing_figures');
  });

  test('can report that it is in progress', () => {
    expect(misfitOf(expected, { clientPayoutId: 'p', state: 'processing', ...others })).toBeNull();
  });
});
