import { Overloaded } from './app-error.ts';

/** What stands in the queue of accepted work, and what was accepted between two moments. */
export interface BacklogLook {
  /** Accepted and not done. */
  waiting: number;
  /** Accepted since the moment that was asked about. */
  arrived: number;
}

export interface BacklogGateOptions {
  look(since: Date): Promise<BacklogLook>;
  /** How long accepted work may wait at the rate at which it is worked off, ms. */
  maxWaitMs: number;
  /** As much may wait at any rate: a burst after rest, and what comes in while whoever does the work is away. */
  always: number;
  /** How often it looks while work comes in, ms. */
  everyMs?: number;
  now?: () => Date;
}

export interface BacklogGate {
  /** Lets one more piece of work in, or throws Overloaded. Call it before anything of the work is durable. */
  admit(): Promise<void>;
}

/** What a gate has learnt: what waits, how fast it goes (per s), and how much more may come in until the next look. */
export interface BacklogState {
  waiting: number;
  perSecond: number;
  allowance: number;
}

/** Over this long the rate is averaged: work goes in batches, and a single look sees all or nothing of one. */
const RATE_OVER_MS = 2_000;
/** Looks further apart say nothing of the rate. */
const FORGETS_AFTER_MS = 5_000;
const LONGEST_RETRY_SECONDS = 30;

/**
 * The next state from a look, `elapsedMs` after the last one. By Little's law, what may wait is the rate times the
 * wait; what will be worked off until the next look may come in on top.
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
 * Keeps the queue of accepted work as short as it can be worked off in `maxWaitMs`, and refuses what comes beyond. It
 * looks only while work comes in. Each process looks for itself and sees what all of them have let in.
 */
export function createBacklogGate(options: BacklogGateOptions): BacklogGate {
  const { everyMs = 250, now = () => new Date() } = options;
  let state: BacklogState = { waiting: 0, perSecond: 0, allowance: 0 };
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const atMs = now().getTime();
    const elapsedMs = Math.max(1, atMs - lookedAtMs);
    const seen = await options.look(new Date(atMs - Math.min(elapsedMs, FORGETS_AFTER_MS)));
    state = afterLook(state, seen, elapsedMs, { ...options, everyMs });
    lookedAtMs = atMs;
  }

  function lookOnce(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  return {
    async admit() {
      const ageMs = now().getTime() - lookedAtMs;
      // A look that is a little old still serves while the next is on its way; one from before a rest does not.
      if (ageMs >= 4 * everyMs) await lookOnce();
      else if (ageMs >= everyMs) lookOnce().catch(() => undefined);
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
