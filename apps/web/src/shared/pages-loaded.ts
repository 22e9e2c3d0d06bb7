interface PagedQuery {
  state: { data?: unknown };
}

/** How many pages of a list are loaded, which is the number of requests that a refetch takes. */
export function pagesLoaded({ state }: PagedQuery): number {
  return (state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1;
}

/** Polls a list at an interval that grows with its length: the number of requests per minute stays the same. */
export function pollByLength(firstPageMs: number): (query: PagedQuery) => number {
  return (query) => firstPageMs * pagesLoaded(query);
}
