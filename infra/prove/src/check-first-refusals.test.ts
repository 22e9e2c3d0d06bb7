import type { Booked } from '@vuka/local/testing/booked';
import { expect, test } from 'vitest';
import { checkFirstRefusals } from './check-first-refusals.ts';
import type { Asked } from './provider-record.ts';

const PROMOTED_MS = 1_000;
const LATER_MS = 60_000;
const row = { id: 't', status: 'FAILED' } as Booked;
const refused = { id: 'p', transferId: 't', atMs: LATER_MS, isRefused: true } as Asked;
const check = (change: {
  row?: Partial<Booked>;
  asked?: Partial<Asked>[];
  inquired?: string[];
  promotions?: number[];
}) =>
  checkFirstRefusals(
    [{ ...row, ...change.row }],
    {
      asked: (change.asked ?? [{}]).map((each) => ({ ...refused, ...each })),
      inquired: new Set(change.inquired ?? []),
    },
    change.promotions ?? [PROMOTED_MS],
  );

test('after a promotion a transfer that failed by the refusal of its only request is found', () => {
  expect(check({})).toEqual(['t: failed by the refusal of its first request, after a promotion']);
});

test.each([
  ['there was no promotion', { promotions: [] }],
  ['the request left before it', { asked: [{ atMs: PROMOTED_MS }] }],
  ['the provider was asked again', { inquired: ['p'] }],
  ['the request was repeated', { asked: [{}, {}] }],
  ['it was accepted, and failed later', { asked: [{ isRefused: false }] }],
  ['the transfer settled', { row: { status: 'SETTLED' } }],
])('nothing is found if %s', (_, change) => {
  expect(check(change)).toEqual([]);
});
