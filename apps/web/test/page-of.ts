/** A page of a list by the query `limit` and `cursor`, the id of the last item of the previous page. */
export function pageOf<Item extends { id: string }>(all: readonly Item[], query: URLSearchParams) {
  const start = all.findIndex(({ id }) => id === query.get('cursor')) + 1;
  const end = start + Number(query.get('limit') ?? 50);
  const page = all.slice(start, end);
  return { page, nextCursor: end < all.length ? (page.at(-1)?.id ?? null) : null };
}
