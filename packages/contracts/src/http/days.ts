import * as z from 'zod/mini';

const error = { error: 'Dates must be written as YYYY-MM-DD' };

/** A calendar day such as 2026-01-31. Days are those of East Africa Time (UTC+3), which both countries keep. */
export const Day = z.string(error).check(
  z.regex(/^20\d{2}-\d{2}-\d{2}$/, error),
  z.refine((day) => new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day, error),
);
