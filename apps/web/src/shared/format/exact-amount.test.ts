import { expect, test } from 'vitest';
import { formatExact, formatExactAmount } from './exact-amount.ts';

test.each([
  ['23030.00', '23,030.00', '23,030 TZS'],
  ['23030', '23,030.00', '23,030 TZS'],
  ['1234567.05', '1,234,567.05', '1,234,567.05 TZS'],
  ['0.50', '0.50', '0.50 TZS'],
  ['0.5', '0.50', '0.50 TZS'],
  ['-1250.50', '-1,250.50', '-1,250.50 TZS'],
  ['23030.125', '23,030.125', '23,030.125 TZS'],
  ['unknown', 'unknown', 'unknown TZS'],
])('%s is shown as %s in a statement and as %s elsewhere, without rounding', (amount, inStatement, elsewhere) => {
  expect(formatExact(amount)).toBe(inStatement);
  expect(formatExactAmount(amount, 'TZS')).toBe(elsewhere);
});
