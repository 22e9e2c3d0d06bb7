import { useInfiniteQuery } from '@tanstack/react-query';
import { historyQuery } from './history.api.ts';
import { useHistoryFilters } from './history-filters.ts';

export type HistoryView = ReturnType<typeof useHistory>;

/** The transfers that match the filters in the address. `isEmpty`: there are none, whatever the filters. */
export function useHistory() {
  const filtering = useHistoryFilters();
  const list = useInfiniteQuery(historyQuery(filtering.filters));
  const isFiltered = Object.keys(filtering.filters).length > 0;
  // Results of other filters may be shown meanwhile.
  const isEmpty = !isFiltered && !list.isPlaceholderData && list.data?.pages[0]?.items.length === 0;
  return { filtering, list, isFiltered, isEmpty };
}
