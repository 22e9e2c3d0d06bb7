import { overloaded } from './app-error.ts';

export interface ConcurrencyLimitOptions {
  /** Work that takes longer than this indicates too much concurrency, ms. */
  slowMs: number;
  /** This many may run at once, however slow they are. */
  min: number;
  max: number;
  /** The initial limit. */
  start: number;
  /**
   * Whether work waits for a neighbour that is being replaced: its duration then says nothing about overload, and up to
   * `max` may wait.
   */
  isPaused?: () => boolean;
  nowMs?: () => number;
}

export interface ConcurrencyLimit {
  /**
   * Starts a piece of work; call the returned function when it has ended. Throws `unavailable` when the limit is
   * exceeded by more than `reserve`.
   */
  begin(reserve?: number): () => void;
  readonly current: number;
}

/** The limit is multiplied by this when work becomes slow. */
const CUT = 0.7;

/**
 * Limits concurrency by latency: additive increase while work is quick, multiplicative decrease when it is slow
 * (AIMD, as in TCP). The limit adapts to a fast machine, a slow one, and a neighbour that hangs.
 */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { slowMs, min, max, start, isPaused = () => false, nowMs = () => performance.now() } = options;
  let limit = start;
  let underWay = 0;
  let cutAtMs = Number.NEGATIVE_INFINITY;
  /** True from the beginning of a pause until the work that waited has ended. */
  let isWide = false;
  let wideAtMs = Number.NEGATIVE_INFINITY;

  function learn(startedMs: number): void {
    if (startedMs <= wideAtMs) return;
    const isSlow = nowMs() - startedMs > slowMs;
    if (!isSlow) {
      // The limit grows only while it is used.
      if (underWay * 2 >= limit) limit = Math.min(max, limit + 1);
    } else if (startedMs > cutAtMs) {
      // One cut for everything that was running at the same time.
      limit = Math.max(min, limit * CUT);
      cutAtMs = nowMs();
    }
  }

  return {
    begin(reserve = 0) {
      isWide = isPaused() || (isWide && underWay >= Math.floor(limit));
      if (isWide) wideAtMs = nowMs();
      const allowed = isWide ? max : Math.floor(limit);
      if (underWay >= allowed + reserve) throw overloaded(`${underWay} are under way`);
      underWay += 1;
      const startedMs = nowMs();
      let hasEnded = false;
      return () => {
        if (hasEnded) return;
        hasEnded = true;
        learn(startedMs);
        underWay -= 1;
      };
    },
    get current() {
      return Math.floor(limit);
    },
  };
}
