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
  denials?: [string, number[]][];
  promotions?: number[];
}) =>
  checkFirstRefusals(
    [{ ...row, ...change.row }],
    {
      asked: (change.asked ?? [{}]).map((each) => ({ ...refused, ...each })),
      denials: new Map(change.denials),
    },
    change.promotions ?? [PROMOTED_MS],
  );

test.each([
  ['its only request', {}],
  ['both requests', { asked: [{}, {}] }],
  ['its request, of which the provider denied knowledge before', { denials: [['p', [LATER_MS - 1]]] }],
] satisfies [string, Parameters<typeof check>[0]][])(
  'after a promotion a transfer that failed by the refusal of %s is found',
  (_, change) => {
    expect(check(change)).toEqual(['t: failed by refused requests alone, after a promotion']);
  },
);

test.each([
  ['there was no promotion', { promotions: [] }],
  ['the request left before it', { asked: [{ atMs: PROMOTED_MS }] }],
  ['the provider then denied knowledge of it', { denials: [['p', [LATER_MS]]] }],
  ['it was accepted, and failed later', { asked: [{ isRefused: false }] }],
  ['the transfer settled', { row: { status: 'SETTLED' } }],
] satisfies [string, Parameters<typeof check>[0]][])('nothing is found if %s', (_, change) => {
  expect(check(change)).toEqual([]);
});
