import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SetLimits } from './tier-limits.ts';

const limits = {
  tier: 'verified',
  currency: 'KES',
  perTransaction: '10',
  perDay: 20,
  perMonth: '30',
  perDayIn: 1,
  perMonthIn: 1,
};
const issuesOf = (changes: object) =>
  z.safeParse(SetLimits, { ...limits, ...changes }).error?.issues.map(({ path, message }) => `${path}: ${message}`) ??
  [];

test('a limit of a longer time may equal that of a shorter one, and not be below it', () => {
  expect(issuesOf({})).toEqual([]);
  expect(issuesOf({ perDay: 10, perMonth: '10.00' })).toEqual([]);
  expect(issuesOf({ perDay: 9 })).toEqual(['perDay: limit_order']);
  expect(issuesOf({ perMonth: 19 })).toEqual(['perMonth: limit_order']);
});

test.each(['12x', '', '1e3', '1.5', '-1', '0'])('a limit of "%s" is refused at its field', (perMonth) => {
  expect(issuesOf({ perMonth })[0]).toMatch(/^perMonth: /);
});
