import { expect, test } from 'vitest';
import { afterLook, type BacklogState, createBacklogGate } from './backlog-gate.ts';

const LIMITS = { maxWaitMs: 1_000, always: 250, everyMs: 250 };

/** Simulates a queue handled in order behind a gate, for the given seconds; `demand` in items per second. */
function simulate(load: { capacity: number; demand: number; seconds: number; state?: BacklogState; batch?: number }) {
  const { everyMs } = LIMITS;
  let state = load.state ?? { waiting: 0, perSecond: 0, allowance: LIMITS.always };
  let waiting = state.waiting;
  let backlog = 0;
  let worked = 0;
  let accepted = 0;
  let mostWaiting = 0;
  for (let ms = 0; ms < load.seconds * 1_000; ms += everyMs) {
    const arrived = Math.min(Math.floor(state.allowance), Math.round((load.demand * everyMs) / 1_000));
    accepted += arrived;
    waiting += arrived;
    mostWaiting = Math.max(mostWaiting, waiting);
    backlog += (load.capacity * everyMs) / 1_000;
    // Work completes in batches: nothing is finished until there is time for a whole one.
    const done = backlog >= (load.batch ?? 1) ? Math.min(waiting, Math.floor(backlog)) : 0;
    if (done > 0) backlog = 0;
    worked += done;
    waiting -= done;
    state = afterLook(state, { waiting, arrived }, everyMs, LIMITS);
  }
  return { accepted, worked, mostWaiting, state };
}

test.each([
  [240, 1],
  [1_400, 1],
  [400, 150],
])(
  'at three times a capacity of %d per second no item waits longer than two seconds, and no capacity is unused',
  (capacity, batch) => {
    const { worked, mostWaiting } = simulate({ capacity, demand: capacity * 3, seconds: 20, batch });
    expect(mostWaiting).toBeLessThanOrEqual(Math.max(capacity * 2, LIMITS.always + capacity / 4));
    expect(worked).toBeGreaterThan(capacity * 20 * 0.9);
  },
);

test('work within capacity is never refused', () => {
  const { accepted } = simulate({ capacity: 1_000, demand: 900, seconds: 20 });
  expect(accepted).toBe(900 * 20);
});

test('after an overload everything is admitted again as soon as the backlog is cleared', () => {
  const { state } = simulate({ capacity: 240, demand: 720, seconds: 20 });
  const after = simulate({ capacity: 240, demand: 120, seconds: 3, state });
  expect(after.accepted).toBe(120 * 3);
  expect(after.state.waiting).toBeLessThan(60);
});

test('while nothing completes, exactly the always-allowed amount is admitted', () => {
  const { accepted } = simulate({ capacity: 0, demand: 100, seconds: 600 });
  expect(accepted).toBe(LIMITS.always);
});

test('concurrent requests share one look, and a refusal says when to retry', async () => {
  let looks = 0;
  const look = async () => {
    looks += 1;
    return looks === 1 ? { waiting: 8, arrived: 8 } : { waiting: 10, arrived: 2 };
  };
  const gate = createBacklogGate({ look, maxWaitMs: 1_000, always: 10, nowMs: () => 0 });
  const answers = await Promise.allSettled([gate.admit(), gate.admit(), gate.admit()]);
  expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  await expect(gate.admit()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10, closedForMs: 250 });
  // One for the first request, one that all refused requests waited for, and one for the last.
  expect(looks).toBe(3);
});

test('never asks for an immediate retry', async () => {
  let waiting = 0;
  const look = async () => ({ waiting, arrived: 0 });
  const gate = createBacklogGate({ look, maxWaitMs: 1_000, always: 1, nowMs: () => 0 });
  await gate.admit();
  waiting = 1;
  await expect(gate.admit()).rejects.toMatchObject({ retryAfterSeconds: 1 });
});

test('a look from before a quiet period is not used', async () => {
  let waiting = 10;
  let nowMs = 0;
  const look = async () => ({ waiting, arrived: 0 });
  const gate = createBacklogGate({ look, maxWaitMs: 1_000, always: 10, nowMs: () => nowMs });
  await expect(gate.admit()).rejects.toMatchObject({ code: 'unavailable' });
  waiting = 0;
  nowMs += 60_000;
  await gate.admit();
});

test('a request beyond the allowance is admitted if work has completed by the next look, and none beyond that', async () => {
  let waiting = 0;
  const look = async () => ({ waiting, arrived: 0 });
  const gate = createBacklogGate({ look, maxWaitMs: 1_000, always: 2, nowMs: () => 0 });
  await Promise.all([gate.admit(), gate.admit()]);
  waiting = 1;
  const answers = await Promise.allSettled([gate.admit(), gate.admit(), gate.admit()]);
  expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
});
