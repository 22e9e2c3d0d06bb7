import { overloaded } from './app-error.ts';

export interface ConcurrencyLimitOptions {
  /** Work that takes longer means that too much is under way, ms. */
  slowMs: number;
  /** So much may be under way, however slow it is. */
  min: number;
  max: number;
  /** What it begins with, before it has learnt anything. */
  start: number;
  nowMs?: () => number;
}

export interface ConcurrencyLimit {
  /**
   * Begins a piece of work; call what it returns when it has ended. Throws `unavailable` when too much is under way, by
   * more than `reserve`.
   */
  begin(reserve?: number): () => void;
  readonly current: number;
}

/** How much is left of the limit when work has become slow. */
const CUT = 0.7;

/**
 * Bounds how much is under way at once by how long it takes: additive increase while it is quick,
 * multiplicative decrease when it is slow (AIMD, as TCP). So the bound fits a quick machine and a slow one, and
 * a neighbour that hangs.
 */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { slowMs, min, max, start, nowMs = () => performance.now() } = options;
  let limit = start;
  let underWay = 0;
  let cutAtMs = Number.NEGATIVE_INFINITY;

  function learn(startedMs: number): void {
    const isSlow = nowMs() - startedMs > slowMs;
    if (!isSlow) {
      // A limit that nobody reaches has nothing to learn.
      if (underWay * 2 >= limit) limit = Math.min(max, limit + 1);
    } else if (startedMs > cutAtMs) {
      // Once for all that was under way together.
      limit = Math.max(min, limit * CUT);
      cutAtMs = nowMs();
    }
  }

  return {
    begin(reserve = 0) {
      if (underWay >= Math.floor(limit) + reserve) throw overloaded(`${underWay} are under way`);
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
