const DAY_MS = 86_400_000;

/** When a day (YYYY-MM-DD) begins in East Africa Time, as RFC 3339 in UTC. */
export function dayStart(day: string): string {
  return new Date(`${day}T00:00:00+03:00`).toISOString();
}

/** When the day is over: the beginning of the next. Neither country changes its clocks. */
export function dayEnd(day: string): string {
  return new Date(Date.parse(dayStart(day)) + DAY_MS).toISOString();
}
