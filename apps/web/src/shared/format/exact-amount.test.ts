import { expect, test } from 'vitest';
import { exactAmount } from './exact-amount.ts';

test.each([
  ['23030.00', '23,030 TZS'],
  ['23030', '23,030 TZS'],
  ['1234567.05', '1,234,567.05 TZS'],
  ['0.50', '0.50 TZS'],
])('%s is shown as %s, without rounding cents', (amount, shown) => {
  expect(exactAmount(amount, 'TZS')).toBe(shown);
});
