import { expect, test } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

function createLimit() {
  let nowMs = 0;
  const limit = createConcurrencyLimit({ slowMs: 1_000, min: 2, max: 10, start: 10, nowMs: () => nowMs });
  /** Runs the given number of pieces of work at once, each of the given duration. */
  const work = (count: number, tookMs: number) => {
    const ends = Array.from({ length: count }, () => limit.begin());
    nowMs += tookMs;
    for (const end of ends) end();
  };
  return { limit, work };
}

test('work beyond the limit is refused with a retry time, and admitted when other work has ended', () => {
  const { limit } = createLimit();
  const ends = Array.from({ length: 10 }, () => limit.begin());
  expect(() => limit.begin()).toThrow(expect.objectContaining({ code: 'unavailable', status: 503 }));
  limit.begin(1)();
  ends[0]?.();
  ends[0]?.();
  limit.begin();
  expect(() => limit.begin()).toThrow();
});

test('slow work lowers the limit once for everything that ran concurrently, never below the minimum', () => {
  const { limit, work } = createLimit();
  work(10, 2_000);
  expect(limit.current).toBe(7);
  for (let round = 0; round < 20; round++) work(2, 2_000);
  expect(limit.current).toBe(2);
});

test('quick work raises the limit again once it is reached', () => {
  const { limit, work } = createLimit();
  for (let round = 0; round < 20; round++) work(2, 2_000);
  for (let round = 0; round < 20; round++) work(limit.current, 10);
  expect(limit.current).toBe(10);
});
