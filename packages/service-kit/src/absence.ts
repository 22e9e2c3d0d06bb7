/** How long a neighbour has accepted no call, and how long its callers wait for it. */
export interface Absence {
  /** A call found no neighbour that would begin it. Returns whether to wait and try again. */
  notice(): boolean;
  /** The neighbour has answered. */
  end(): void;
  /** Whether calls wait for the neighbour now. */
  readonly isAwaited: boolean;
}

/**
 * The patience with one neighbour that is being replaced, `patienceMs` from the first call that found nobody. All calls share
 * it: a neighbour that does not return costs its callers this time once, and each later call fails immediately. `nowMs` is a
 * clock that never goes back.
 */
export function createAbsence(patienceMs: number, nowMs: () => number = () => performance.now()): Absence {
  let sinceMs: number | undefined;
  let noticedAtMs = Number.NEGATIVE_INFINITY;

  const isLeft = () => sinceMs !== undefined && nowMs() - sinceMs < patienceMs;
  return {
    notice() {
      // The neighbour was not called for a while, so this is another absence.
      if (sinceMs === undefined || nowMs() - noticedAtMs > patienceMs) sinceMs = nowMs();
      noticedAtMs = nowMs();
      return isLeft();
    },
    end() {
      sinceMs = undefined;
    },
    get isAwaited() {
      return isLeft();
    },
  };
}
