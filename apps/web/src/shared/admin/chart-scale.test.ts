import { expect, test } from 'vitest';
import { scaleTicks, shortNumber } from './chart-scale.ts';

test.each([
  [0, [0]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [133, [0, 50, 100, 150]],
  [1_612_500, [0, 500_000, 1_000_000, 1_500_000, 2_000_000]],
  [100, [0, 25, 50, 75, 100]],
])('the scale of values up to %d has round steps and ends at or above it', (most, ticks) => {
  expect(scaleTicks(most)).toEqual(ticks);
});

test.each([
  [80, '80'],
  [1_500, '1.5k'],
  [250_000, '250k'],
  [2_000_000, '2M'],
])('the tick of %d reads %s', (value, text) => {
  expect(shortNumber(value)).toBe(text);
});
