import { expect, test } from 'vitest';
import type { StatementLine } from '#payouts/payout-provider.ts';
import { type BookedPayout, compareStatement } from './compare-statement.ts';

const noon = new Date('2026-01-05T12:00:00Z');
const line = (id: string, of: Partial<StatementLine> = {}): StatementLine => ({
  clientPayoutId: id,
  amountMinor: 2_303_000n,
  currency: 'TZS',
  msisdn: '255763456700',
  recordedAt: noon,
  ...of,
});
const booked = (id: string, of: Partial<BookedPayout> = {}): BookedPayout => ({
  id,
  transaction_id: `transaction of ${id}`,
  state: 'completed',
  amount: 2_303_000n,
  currency: 'TZS',
  destination_account: '255763456700',
  updated_at: noon,
  ...of,
});

function compare(lines: StatementLine[], ours: BookedPayout[]) {
  return compareStatement({
    lines,
    isOfDay: ({ recordedAt }) => recordedAt.toISOString().startsWith('2026-01-05'),
    booked: new Map(ours.map((payout) => [payout.id, payout])),
    completed: ours.filter(({ state }) => state === 'completed'),
    earlier: { paidAt: new Map(), missing: new Set() },
  });
}
const kinds = (...of: Parameters<typeof compare>) => compare(...of).differences.map(({ kind }) => kind);

test('a payment with equal figures on both sides is matched', () => {
  expect(compare([line('a')], [booked('a')])).toEqual({
    lines: 1,
    matched: ['a'],
    late: [],
    waiting: [],
    differences: [],
  });
});

test.each<[string, StatementLine[], BookedPayout[], string]>([
  ['a payment without an order', [line('a')], [], 'paid_without_order'],
  [
    'a payment of a payout that failed in our books',
    [line('a')],
    [booked('a', { state: 'failed' })],
    'paid_but_failed',
  ],
  ['one order paid twice', [line('a'), line('a')], [booked('a')], 'paid_twice'],
  ['another amount', [line('a', { amountMinor: 2_303_001n })], [booked('a')], 'different_figures'],
  ['another currency', [line('a', { currency: 'KES' })], [booked('a')], 'different_figures'],
  ['another number', [line('a', { msisdn: '255763456701' })], [booked('a')], 'different_figures'],
  ['a paid payout that the provider did not pay', [], [booked('a')], 'not_on_statement'],
])('%s is a difference', (_what, lines, ours, kind) => {
  expect(kinds(lines, ours)).toEqual([kind]);
});

test('a payment of an open payout is not a difference: polling ends it', () => {
  expect(kinds([line('a')], [booked('a', { state: 'processing' })])).toEqual([]);
});

test('a payout recorded on the other side of midnight is found and counted once', () => {
  const evening = line('a', { recordedAt: new Date('2026-01-04T23:59:59Z') });
  expect(compare([evening], [booked('a')])).toEqual({ lines: 0, matched: [], late: [], waiting: [], differences: [] });
});

test('a difference names both sides’ figures', () => {
  expect(compare([line('a')], [booked('a', { amount: 100n })]).differences).toEqual([
    {
      kind: 'different_figures',
      payoutId: 'a',
      transactionId: 'transaction of a',
      ours: { state: 'completed', amount: '1.00', currency: 'TZS', msisdn: '255763456700' },
      theirs: {
        amount: '23030.00',
        currency: 'TZS',
        msisdn: '255763456700',
        recordedAt: '2026-01-05T12:00:00.000Z',
        payments: 1,
      },
      evidence: ['2026-01-05T12:00:00.000Z 23030.00 TZS 255763456700'],
    },
  ]);
});
