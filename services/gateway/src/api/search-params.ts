/** A query string of the fields that have a value. */
export function searchParams(fields: Record<string, string | number | undefined>): URLSearchParams {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
}
