const MINUTE_MS = 60_000;

/** Lengths of outages, each with the shortest proof that has time for it, minutes. */
export const OUTAGES = [
  { minutes: 1, fromMinutes: 3 },
  { minutes: 3, fromMinutes: 10 },
  { minutes: 15, fromMinutes: 30 },
] as const;

/** The outages that a proof of this length has time for, in minutes. */
export function outagesIn(lengthMs: number): number[] {
  return OUTAGES.filter(({ fromMinutes }) => lengthMs >= fromMinutes * MINUTE_MS).map(({ minutes }) => minutes);
}

/** How long to wait for a recovery in a proof of this length: the longest outage and some minutes, ms. */
export function patienceFor(lengthMs: number): number {
  return Math.max(0, ...outagesIn(lengthMs)) * MINUTE_MS + 4 * MINUTE_MS;
}
