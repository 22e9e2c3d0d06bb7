import { StartError } from '#start-settings.ts';

/** Parses `--at`, in ISO or pgBackRest notation. Throws a StartError if it has no time zone. */
export function readMoment(text: string): Date {
  // psql prints a zone of whole hours as +00.
  const at = new Date(text.replace(' ', 'T').replace(/(:.*[+-]\d\d)$/, '$1:00'));
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:\d\d)?)$/.test(text) && !Number.isNaN(at.getTime()))
    return at;
  throw new StartError(`--at must be a moment with its zone, such as 2026-11-21T10:00:00Z, not "${text}".`);
}
