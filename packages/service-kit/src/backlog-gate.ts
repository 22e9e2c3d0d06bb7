import { setTimeout as delay } from 'node:timers/promises';
import { Overloaded } from './app-error.ts';

/** The length of the queue of accepted work, and the number of arrivals since a given moment. */
export interface BacklogLook {
  /** Accepted and not finished. */
  waiting: number;
  /** Accepted since the given moment. */
  arrived: number;
}

export interface BacklogGateOptions {
  /** Looks at the queue; counts the arrivals of the last `sinceMs`. */
  look(sinceMs: number): Promise<BacklogLook>;
  /** The longest time that accepted work may wait at the current completion rate, ms. */
  maxWaitMs: number;
  /** This much may wait at any rate: a burst after a quiet period, or arrivals while the worker is unavailable. */
  always: number;
  /** How often the gate looks while work arrives, ms. */
  everyMs?: number;
  /** A clock that never goes back. */
  nowMs?: () => number;
}

export interface BacklogGate {
  /**
   * Admits one more piece of work, after the next look if need be, or throws Overloaded. Call it before any part of the
   * work is durable.
   */
  admit(): Promise<void>;
}

/** The gate's state: items waiting, completion rate (per s), and how many more may arrive before the next look. */
export interface BacklogState {
  waiting: number;
  perSecond: number;
  allowance: number;
}

/** The rate is averaged over this time: work completes in batches, and one look sees all of a batch or none of it. */
const RATE_OVER_MS = 2_000;
/** Looks further apart than this say nothing about the rate. */
const FORGETS_AFTER_MS = 5_000;
const LONGEST_RETRY_SECONDS = 30;

/**
 * The next state after a look, `elapsedMs` after the previous one. By Little's law, the queue may hold rate × wait;
 * the work completed before the next look may arrive on top of that.
 */
export function afterLook(
  before: BacklogState,
  { waiting, arrived }: BacklogLook,
  elapsedMs: number,
  limits: Pick<BacklogGateOptions, 'maxWaitMs' | 'always'> & { everyMs: number },
): BacklogState {
  let perSecond = 0;
  if (elapsedMs < FORGETS_AFTER_MS) {
    const workedOff = Math.max(0, before.waiting + arrived - waiting);
    const weight = 1 - Math.exp(-elapsedMs / RATE_OVER_MS);
    perSecond = before.perSecond + weight * ((workedOff / elapsedMs) * 1_000 - before.perSecond);
  }
  const mayWait = Math.max(limits.always, (perSecond * limits.maxWaitMs) / 1_000);
  const soonDone = (perSecond * limits.everyMs) / 1_000;
  return { waiting, perSecond, allowance: Math.max(0, Math.floor(mayWait + soonDone - waiting)) };
}

/**
 * Keeps the queue of accepted work short enough to be finished in `maxWaitMs`, and refuses the rest. It looks only
 * while work arrives. Each process looks on its own and sees what all processes have admitted.
 */
export function createBacklogGate(options: BacklogGateOptions): BacklogGate {
  const { everyMs = 250, nowMs = () => performance.now() } = options;
  let state: BacklogState = { waiting: 0, perSecond: 0, allowance: 0 };
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let nextLook: Promise<void> | undefined;

  async function look(): Promise<void> {
    const atMs = nowMs();
    const elapsedMs = Math.max(1, atMs - lookedAtMs);
    const seen = await options.look(Math.min(elapsedMs, FORGETS_AFTER_MS));
    state = afterLook(state, seen, elapsedMs, { ...options, everyMs });
    lookedAtMs = atMs;
  }

  function lookOnce(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  /** Resolves after the next look that is due; all waiting callers share it. */
  function lookWhenDue(): Promise<void> {
    nextLook ??= delay(Math.max(0, lookedAtMs + everyMs - nowMs()))
      .then(lookOnce)
      .finally(() => {
        nextLook = undefined;
      });
    return nextLook;
  }

  return {
    async admit() {
      const ageMs = nowMs() - lookedAtMs;
      // A slightly old look is still used while the next is in flight; one from before a quiet period is not.
      if (ageMs >= 4 * everyMs) await lookOnce();
      else if (ageMs >= everyMs) lookOnce().catch(() => undefined);
      // Work ends meanwhile. A refused caller would not return for a second, while the worker may become idle.
      if (state.allowance <= 0) await lookWhenDue();
      if (state.allowance <= 0) throw refusal(state, everyMs);
      state.allowance -= 1;
    },
  };
}

function refusal({ waiting, perSecond }: BacklogState, everyMs: number): Overloaded {
  const seconds = Math.ceil(Math.min(LONGEST_RETRY_SECONDS, Math.max(1, waiting / Math.max(1, perSecond))));
  const cause = `${waiting} wait, ${Math.round(perSecond)} a second go`;
  return new Overloaded({ cause, retryAfterSeconds: seconds, closedForMs: everyMs });
}
