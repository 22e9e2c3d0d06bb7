/** Whether too much time has passed to still act on what was decided when the lease began. */
export type Lease = () => boolean;

/**
 * A lease of this many ms. Time is measured by the clock that shows more of it: a suspended machine's monotonic clock
 * stands still, and a wall clock may be set back.
 */
export function beginLease(ms: number): Lease {
  const [wall, monotonic] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wall, performance.now() - monotonic) > ms;
}
