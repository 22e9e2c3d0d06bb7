import { expect, test } from 'vitest';
import { largestAmount } from './largest-amount.ts';

const balance = 1_020;

/** A fee of 10 below 1,000, and of 50 from there, as decimal strings. */
const banded = (amount: number) => (amount < 1_000 ? '10.00' : '50.00');

test.each([
  ['no fee', () => '0.00', 1_020],
  ['a fixed fee', () => '20.00', 1_000],
  ['a fee in cents', () => '19.50', 1_000],
  ['a fee in percent', (amount: number) => (amount * 0.03).toFixed(2), 990],
  ['a fee of the whole amount', (amount: number) => amount.toFixed(2), 510],
  ['bands, the next of which is unaffordable', banded, 999],
  ['a fee above the balance', () => '2000.00', 0],
])('with %s the largest affordable amount is found', async (_, feeOf, expected) => {
  let asked = 0;
  const fee = (digits: string) => {
    asked += 1;
    return Promise.resolve(feeOf(Number(digits)));
  };
  expect(await largestAmount(`${balance}.00`, fee)).toBe(String(expected));
  expect(asked).toBeLessThanOrEqual(16);
});

test('the cents of a balance pay for a fee', async () => {
  expect(await largestAmount('100.50', () => Promise.resolve('0.50'))).toBe('100');
});
