import { reason } from '@vuka/contracts/texts/reason';
import { expect, test } from 'vitest';
import { namedPeriods, periodError, periodOf } from './period.ts';

/** 22:30 UTC: in East Africa it is already the new year. */
const newYear = Date.parse('2025-12-31T22:30:00Z');

test.each([
  ['thisMonth', '2026-01-01', '2026-01-01'],
  ['lastMonth', '2025-12-01', '2025-12-31'],
  ['last90Days', '2025-10-04', '2026-01-01'],
  ['thisYear', '2026-01-01', '2026-01-01'],
] as const)('%s is counted in East African days', (name, from, to) => {
  expect(periodOf(name, newYear)).toEqual({ from, to });
});

test('each period is offered once: in January this year is this month', () => {
  const names = (at: string) => namedPeriods(Date.parse(at)).map(({ name }) => name);
  expect(names('2026-01-15T12:00:00Z')).toEqual(['thisMonth', 'lastMonth', 'last90Days']);
  expect(names('2026-02-01T12:00:00Z')).toEqual(['thisMonth', 'lastMonth', 'last90Days', 'thisYear']);
});

test.each([
  ['2026-01-01', '2026-12-31', undefined],
  ['2026-02-01', '2026-01-31', reason('period_reversed')],
  ['2025-01-01', '2026-12-31', reason('period_too_long', { months: 12 })],
  ['2026-02-30', '2026-03-01', reason('day_invalid')],
])('%s to %s: %s', (from, to, error) => {
  expect(periodError({ from, to })).toBe(error);
});
