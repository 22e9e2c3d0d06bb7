import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';

const error = { error: reason('day_invalid') };

/** A calendar day such as 2026-01-31, in East Africa Time (UTC+3), the time zone of both countries. */
export const Day = z.string(error).check(
  z.regex(/^20\d{2}-\d{2}-\d{2}$/, error),
  z.refine((day) => new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day, error),
);

const EAST_AFRICA_MS = 3 * 3_600_000;
/** A day in ms: there is no daylight saving in East Africa. */
export const DAY_MS = 86_400_000;

/** A moment (ms since 1970) as a date whose UTC fields are East African local time. */
export function eastAfricaClock(atMs: number): Date {
  return new Date(atMs + EAST_AFRICA_MS);
}

/** The day (YYYY-MM-DD) in East Africa at a moment, ms since 1970. */
export function dayOf(atMs: number): string {
  return eastAfricaClock(atMs).toISOString().slice(0, 10);
}

/** The start of a day (YYYY-MM-DD) in East Africa Time, as RFC 3339 in UTC. */
export function dayStart(day: string): string {
  return new Date(`${day}T00:00:00+03:00`).toISOString();
}

/** The end of a day: the start of the next, as RFC 3339 in UTC. */
export function dayEnd(day: string): string {
  return new Date(Date.parse(dayStart(day)) + DAY_MS).toISOString();
}
