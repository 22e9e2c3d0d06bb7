import { expect, test } from 'vitest';
import { mostPayoutsOf } from './read-statement.ts';

test('a day of more than 500,000 payouts is not compared, however large the heap', () => {
  expect(mostPayoutsOf({ mostPayouts: 499_999 })).toBe(499_999);
  expect(mostPayoutsOf({ mostPayouts: 3_000_000 })).toBe(500_000);
});
