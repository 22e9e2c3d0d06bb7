import { DIRECTIONS } from '@vuka/money/directions';
import { expect, test } from 'vitest';
import { type Band, feeOf, type Prices, priceOf } from './price.ts';

const THERE = DIRECTIONS[0];
const BACK = DIRECTIONS[1] ?? DIRECTIONS[0];
const prices = (buyRate: string, markup: string, fees: Band[] = []): Prices => ({ buyRate, markup, fees });
const band = (change: Partial<Band> = {}): Band => ({
  type: 'transfer',
  currency: 'KES',
  least: 0n,
  end: null,
  fixed: 0n,
  percent: '0',
  ...change,
});

test('an amount is converted at the buy rate less the markup, rounded half up to whole units', () => {
  expect(priceOf(prices('23.5', '2'), THERE, 100_000n)).toEqual({ target: 2_303_000n, fee: 0n, mid: 2_350_000n });
  // 2,500 / 23.5 x 0.98 = 104.255...
  expect(priceOf(prices('23.5', '2'), BACK, 250_000n)).toEqual({ target: 10_400n, fee: 0n, mid: 10_638n });
  // 37 x 23.5 x 0.5 = 434.75
  expect(priceOf(prices('23.5', '50'), THERE, 3_700n).target).toBe(43_500n);
});

test('rounding never pays out more than was paid in, unless the operator earns nothing', () => {
  // 1 x 23.6 x 0.999 = 23.5764, which rounds to 24: more than 23.6.
  expect(priceOf(prices('23.6', '0.1'), THERE, 100n).target).toBe(2_300n);
  expect(priceOf(prices('23.6', '0'), THERE, 100n).target).toBe(2_400n);
  expect(priceOf(prices('23.6', '0', [band({ fixed: 1n })]), THERE, 100n).target).toBe(2_300n);
  // A fee of 2 cents is worth 0.472, which covers what rounding adds.
  expect(priceOf(prices('23.6', '0', [band({ fixed: 2n })]), THERE, 100n).target).toBe(2_400n);
});

test('a fee is that of the band, whose end is not part of it, its share rounded half up', () => {
  const fees = [band({ end: 10_000n, fixed: 500n }), band({ least: 10_000n, percent: '1.005' })];
  expect(feeOf(prices('1', '0', fees), 'transfer', 'KES', 9_999n)).toBe(500n);
  expect(feeOf(prices('1', '0', fees), 'transfer', 'KES', 10_000n)).toBe(101n);
  expect(feeOf(prices('1', '0', fees), 'withdrawal', 'KES', 10_000n)).toBe(0n);
  expect(feeOf(prices('1', '0', fees), 'transfer', 'TZS', 10_000n)).toBe(0n);
});
