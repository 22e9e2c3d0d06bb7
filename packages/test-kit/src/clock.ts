/** A clock that only moves when a test sets it. */
export interface TestClock {
  now(): Date;
  set(time: Date | string): void;
  advance(ms: number): void;
}

/** Creates a clock; pass its `now` to code that takes one. */
export function createTestClock(start: Date | string = '2026-01-15T09:00:00.000Z'): TestClock {
  let currentMs = new Date(start).getTime();
  return {
    now: () => new Date(currentMs),
    set(time) {
      currentMs = new Date(time).getTime();
    },
    advance(ms) {
      currentMs += ms;
    },
  };
}
