import { expect, test } from 'vitest';
import { totalTaken } from './total-taken.ts';

const price = { targetAmount: '575750', rate: 23.03 };

test('the total is the amount and its fee, to the cent', () => {
  expect(totalTaken('25000', { ...price, fee: '125.50' })).toBe('25125.50');
  expect(totalTaken('1', { ...price, fee: '0.05' })).toBe('1.05');
});

test('without a fee there is no total, which would repeat the amount', () => {
  expect(totalTaken('25000', { ...price, fee: '0.00' })).toBeUndefined();
  expect(totalTaken('25000', price)).toBeUndefined();
});
