type Query = Record<string, string | number | undefined>;

/** A query string of the fields that have a value. */
export function searchParams(fields: Query): URLSearchParams {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
}

/** The Link header to the next page: the same call with its cursor. None on the last page. */
export function nextLink(path: string, query: Query, nextCursor: string | null): Record<string, string> {
  if (!nextCursor) return {};
  return { link: `<${path}?${searchParams({ ...query, cursor: nextCursor })}>; rel="next"` };
}
