import { expect, test } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

function createLimit(start = 10) {
  let nowMs = 0;
  let isPaused = false;
  const bounds = { slowMs: 1_000, min: 2, max: 10, start };
  const limit = createConcurrencyLimit({ ...bounds, isPaused: () => isPaused, nowMs: () => nowMs });
  /** Runs the given number of pieces of work at once, each of the given duration. */
  const work = (count: number, tookMs: number) => {
    const ends = Array.from({ length: count }, () => limit.begin());
    nowMs += tookMs;
    for (const end of ends) end();
  };
  const pause = (paused: boolean) => {
    isPaused = paused;
  };
  return { limit, work, pause, wait: (ms: number) => (nowMs += ms) };
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

test('while a neighbour is replaced up to the maximum may wait, until that has ended, and nothing of it lowers the limit', () => {
  const { limit, pause, wait } = createLimit(4);
  const before = limit.begin();
  pause(true);
  const waiting = Array.from({ length: 9 }, () => limit.begin());
  expect(() => limit.begin()).toThrow();
  wait(5_000);
  pause(false);
  waiting.shift()?.();
  const after = limit.begin();
  wait(2_000);
  for (const end of [before, after, ...waiting]) end();
  expect(limit.current).toBe(4);
  for (let begun = 0; begun < 4; begun++) limit.begin();
  expect(() => limit.begin()).toThrow();
});
