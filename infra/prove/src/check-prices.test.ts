import { DIRECTIONS } from '@vuka/money/directions';
import { expect, test } from 'vitest';
import { checkPrices, type PricedRow } from './check-prices.ts';
import type { HeldQuote, Order, PriceChange } from './history.ts';

const SECOND_MS = 1_000;
const [direction] = DIRECTIONS;
const at = (seconds: number) => seconds * SECOND_MS + 1_000_000;
const change = (buyRate: string, from: number, to: number): PriceChange => ({
  prices: { buyRate, markup: '0', fees: [] },
  fromMs: at(from),
  toMs: at(to),
});
/** 100 units buy 2,000 from the beginning, and 3,000 since the twentieth second. */
const prices = [change('20', 0, 0), change('30', 20, 21)];

function order(sent: number, changes: Partial<Order> = {}): Order {
  return {
    clientTransactionId: 'CLIENT-1',
    userId: 'u',
    payee: 'phone',
    number: '+255743450000',
    source: 'KES',
    direction,
    sourceAmount: 10_000n,
    targetAmount: 200_000n,
    fee: undefined,
    quote: undefined,
    path: '',
    body: {},
    sentMs: at(sent),
    clearMs: at(sent + 1),
    acknowledged: [],
    refused: [],
    isRepriced: false,
    unclear: 0,
    resolvedLate: false,
    ...changes,
  };
}
const row = (target: bigint): PricedRow => ({
  id: 'transfer-1',
  clientTransactionId: 'CLIENT-1',
  status: 'SETTLED',
  target,
  fee: 0n,
  mid: target,
});
const quote = (asked: number, change: Partial<HeldQuote> = {}): HeldQuote => ({
  quoteId: 'quote-1',
  direction: DIRECTIONS[0],
  sourceAmount: 10_000n,
  targetAmount: 200_000n,
  fee: 0n,
  askedMs: at(asked),
  receivedMs: at(asked),
  ...change,
});
const check = (
  ordered: Order,
  rows: PricedRow[] = [],
  quotes: HeldQuote[] = [],
  struck = [] as Parameters<typeof checkPrices>[2],
) => checkPrices({ orders: [ordered], quotes, prices }, rows, struck);

test('a price is right while it is in force, and for as long as services may not know the next one', () => {
  expect(check(order(10), [row(200_000n)])).toEqual([]);
  expect(check(order(24), [row(200_000n)])).toEqual([]);
  expect(check(order(19), [row(300_000n)])).toEqual(['transfer-1: 300000 with a fee of 0, but 200000 was confirmed']);
});

test('an old price is found once every service must know the new one, unless a fault kept them apart', () => {
  expect(check(order(27), [row(200_000n)])).toHaveLength(1);
  const iso = (seconds: number) => new Date(at(seconds)).toISOString();
  const kill = { kind: 'kill rates', from: iso(18), to: iso(19) };
  expect(check(order(27), [row(200_000n)], [], [kill])).toEqual([]);
  expect(check(order(40), [row(200_000n)], [], [kill])).toHaveLength(1);
  expect(check(order(27), [row(200_000n)], [], [{ ...kill, kind: 'provider: reset' }])).toHaveLength(1);
});

test('a quote holds its price for a minute, and not after the proof made it expire', () => {
  expect(check(order(50, { quote: quote(1) }), [row(200_000n)])).toEqual([]);
  expect(check(order(70, { quote: quote(1) }), [row(200_000n)])).toHaveLength(1);
  const aged = quote(1, { aging: { fromMs: at(30), toMs: at(31) } });
  expect(check(order(30, { quote: aged }), [row(200_000n)])).toEqual([]);
  expect(check(order(32, { quote: aged }), [row(200_000n)])).toEqual([
    'transfer-1: the price of an expired quote, should be 300000 with a fee of 0; its mid amount is 200000',
  ]);
});

test('a quote of a clock that was ahead holds its price for longer, unless the proof made it expire', () => {
  const iso = (seconds: number) => new Date(at(seconds)).toISOString();
  const ahead = { kind: 'clock of transfers ahead', from: iso(0), to: iso(2) };
  const late = (change: Partial<HeldQuote> = {}) =>
    check(order(90, { quote: quote(1, change) }), [row(200_000n)], [], [ahead]);
  expect(late()).toEqual([]);
  expect(late({ aging: { fromMs: at(30), toMs: Number.POSITIVE_INFINITY } })).toEqual([]);
  expect(late({ aging: { fromMs: at(30), toMs: at(31) } })).toHaveLength(1);
});

test('a refusal is wrong while the quote is held, or if the price was in force all the time', () => {
  const refused = { isRepriced: true };
  expect(check(order(30, { ...refused, quote: quote(1) }))).toEqual(['CLIENT-1: refused, although its quote was held']);
  expect(check(order(10, refused))).toEqual(['CLIENT-1: refused for a price that was in force']);
  expect(check(order(30, refused))).toEqual([]);
});

test('an order that leaves the fee to its quote may be refused once the quote was deleted', () => {
  const aged = quote(1, { aging: { fromMs: at(3), toMs: at(4) } });
  expect(check(order(10, { isRepriced: true, quote: aged }))).toEqual([]);
  expect(check(order(10, { isRepriced: true, quote: aged, body: { fee: '0.00' } }))).toHaveLength(1);
});

test('a quote at a price that was not in force is found', () => {
  expect(check(order(10, { isRepriced: false }), [], [quote(10)])).toEqual([]);
  expect(check(order(10), [], [quote(40)])).toHaveLength(1);
});
