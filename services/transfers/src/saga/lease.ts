/** Returns true once too much time has passed to act on the decision that began the lease. */
export type Lease = () => boolean;

/**
 * A lease of this many ms, measured by the clock that advanced more: a suspended machine's monotonic clock stands
 * still, and a wall clock may be set back.
 */
export function beginLease(ms: number): Lease {
  const [wall, monotonic] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wall, performance.now() - monotonic) > ms;
}
