/** How long a neighbour service has been absent, and whether its callers wait for it. */
export interface Absence {
  /** A call found that the neighbour is absent. Returns whether to wait and try again. */
  notice(): boolean;
  /** The neighbour has answered. */
  end(): void;
  /** Whether calls wait for the neighbour now. */
  readonly isAwaited: boolean;
}

/**
 * Limits how long callers wait for a neighbour that is being replaced: `patienceMs` from the first call that finds it
 * absent. All calls share this time: a neighbour that does not return costs its callers the time once, and later calls
 * fail immediately. `nowMs` is a clock that never goes back.
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
