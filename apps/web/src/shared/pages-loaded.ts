interface PagedQuery {
  state: { data?: unknown };
}

/** How many pages of a list are loaded: so many requests it takes to ask for it anew. */
export function pagesLoaded({ state }: PagedQuery): number {
  return (state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1;
}

/** Asks for a list every so often by its length: as many requests a minute, however many pages are loaded. */
export function pollByLength(firstPageMs: number): (query: PagedQuery) => number {
  return (query) => firstPageMs * pagesLoaded(query);
}
