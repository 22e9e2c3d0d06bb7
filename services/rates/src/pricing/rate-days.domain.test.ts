import { dayStart } from '@vuka/contracts/http/days';
import { expect, test } from 'vitest';
import { type RateChange, rateDays } from './rate-days.domain.ts';

const NOW = Date.parse('2026-03-31T09:00:00Z');

/** A buy rate without markup, set at a moment in East Africa. */
function change(at: string, buyRate: string): RateChange {
  return { atMs: Date.parse(`${at}+03:00`), buyRate, markup: '0' };
}

test('each day has the rate that was in force at its end in East Africa, also a day without a change', () => {
  const changes = [
    change('2026-03-28T23:59:59', '20'),
    change('2026-03-29T00:00:00', '21'),
    change('2026-03-29T12:00:00', '22'),
    change('2026-03-31T08:00:00', '23'),
  ];
  expect(rateDays(changes, NOW).days).toEqual([
    { day: '2026-03-28', sellRate: 20 },
    { day: '2026-03-29', sellRate: 22 },
    { day: '2026-03-30', sellRate: 22 },
    { day: '2026-03-31', sellRate: 23 },
  ]);
});

test('at most thirty days are covered, the first with the rate of before', () => {
  const { days } = rateDays([change('2025-01-01T00:00:00', '19'), change('2026-03-31T01:00:00', '20')], NOW);
  expect(days).toHaveLength(30);
  expect(days[0]).toEqual({ day: '2026-03-02', sellRate: 19 });
  expect(days.at(-1)).toEqual({ day: '2026-03-31', sellRate: 20 });
});

test.each([
  ['the highest of the week is best for KES to TZS', ['20', '21', '22'], ['KES_TO_TZS']],
  ['the lowest of the week is best for TZS to KES', ['22', '21', '20'], ['TZS_TO_KES']],
  ['a rate between others is best for nobody', ['20', '22', '21'], []],
  ['a rate that is back at the highest is best again', ['22', '20', '22'], ['KES_TO_TZS']],
  ['the same rate all week is best for nobody', ['22', '22'], []],
  ['the only rate is best for nobody', ['22'], []],
])('%s', (_what, buyRates, best) => {
  const changes = buyRates.map((buyRate, index) => change(`2026-03-${28 + index}T10:00:00`, buyRate));
  expect(rateDays(changes, NOW).bestOfWeek).toEqual(best);
});

test('a higher rate of an earlier hour of the week counts; one replaced before the week began does not', () => {
  const replaced = [change('2026-03-01T10:00:00', '30'), change('2026-03-24T23:00:00', '20')];
  const today = change('2026-03-31T10:00:00', '21');
  expect(rateDays([...replaced, today], NOW).bestOfWeek).toEqual(['KES_TO_TZS']);
  const hour = [change('2026-03-26T10:00:00', '25'), change('2026-03-26T11:00:00', '20')];
  expect(rateDays([...replaced, ...hour, today], NOW).bestOfWeek).toEqual([]);
});

test('there are no days before the first rate', () => {
  expect(rateDays([], Date.parse(dayStart('2026-03-31')))).toEqual({ days: [], bestOfWeek: [] });
});
