import * as z from 'zod/mini';

const error = { error: 'Dates must be written as YYYY-MM-DD' };

/** A calendar day such as 2026-01-31. Days are those of East Africa Time (UTC+3), which both countries keep. */
export const Day = z.string(error).check(
  z.regex(/^20\d{2}-\d{2}-\d{2}$/, error),
  z.refine((day) => new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day, error),
);

const EAST_AFRICA_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;

/** A moment (ms since 1970) as a date whose UTC fields are what clocks in East Africa show. They are never changed. */
export function eastAfricaClock(atMs: number): Date {
  return new Date(atMs + EAST_AFRICA_MS);
}

/** The day (YYYY-MM-DD) that it is in East Africa at a moment, ms since 1970. */
export function dayOf(atMs: number): string {
  return eastAfricaClock(atMs).toISOString().slice(0, 10);
}

/** When a day (YYYY-MM-DD) begins in East Africa Time, as RFC 3339 in UTC. */
export function dayStart(day: string): string {
  return new Date(`${day}T00:00:00+03:00`).toISOString();
}

/** When the day is over: the beginning of the next, as RFC 3339 in UTC. */
export function dayEnd(day: string): string {
  return new Date(Date.parse(dayStart(day)) + DAY_MS).toISOString();
}
