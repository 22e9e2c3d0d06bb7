import { describe, expect, test } from 'vitest';
import { changePercent, previewRates, profitMargin, rateProblem } from './rate-input.ts';

test.each([
  ['23.5', '2', undefined],
  ['23.5', '0', undefined],
  ['23.5', '100', undefined],
  ['', '2', { kind: 'input', field: 'buyRate' }],
  ['abc', '2', { kind: 'input', field: 'buyRate' }],
  ['0', '2', { kind: 'input', field: 'buyRate' }],
  ['-1', '2', { kind: 'input', field: 'buyRate' }],
  ['23.5', '', { kind: 'input', field: 'markup' }],
  ['23.5', '2x', { kind: 'input', field: 'markup' }],
  ['23.5', '-1', { kind: 'markup', field: 'markup' }],
  ['23.5', '100.01', { kind: 'markup', field: 'markup' }],
])('a buy rate of "%s" with a markup of "%s"', (buyRate, markup, problem) => {
  expect(rateProblem({ buyRate, markup })).toEqual(problem);
});

describe('the preview', () => {
  test('is what the server sets: sell = buy x (1 - markup/100), and the inverse from 1/buy', () => {
    expect(previewRates({ buyRate: '23.5', markup: '2' })).toEqual({ kesToTzs: 23.03, tzsToKes: 0.0417021276595744 });
    expect(previewRates({ buyRate: '23.5', markup: '' })).toBeUndefined();
  });
});

test('the profit margin is (buy - sell) / buy in per cent', () => {
  expect(profitMargin({ buyRate: 23.5, sellRate: 23.03 })).toBe('2.00%');
  expect(profitMargin({ buyRate: 0, sellRate: 0 })).toBe('0.00%');
});

test('a change is measured by the rate that changes more', () => {
  expect(changePercent({ buyRate: 20, sellRate: 20 }, { buyRate: 22, sellRate: 15 })).toBe(25);
  expect(changePercent({ buyRate: 20, sellRate: 18 }, { buyRate: 21, sellRate: 18.9 })).toBeCloseTo(5);
});
