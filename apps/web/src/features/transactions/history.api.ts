import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { TransactionFilters } from '@vuka/contracts/http/transaction-filters';
import { HISTORY_KEY, ListItem, STALE_MS, type TransactionItem } from '#shared/api/transactions.api.ts';
import { ApiError } from '#shared/api-client.ts';
import { fetchPage, type ListPage } from '#shared/list-page.ts';
import { pollByLength } from '#shared/pages-loaded.ts';

export interface HistoryPage extends ListPage<TransactionItem> {
  /** The search text is neither an id, nor a phone number, nor an amount. */
  isUnsearchable?: boolean;
}

const HISTORY_PAGE_SIZE = 30;

async function fetchHistory(path: string, signal: AbortSignal): Promise<HistoryPage> {
  try {
    return await fetchPage(path, ListItem, signal);
  } catch (error) {
    // An incomplete search text is not a failure.
    if (error instanceof ApiError && error.status === 400) {
      return { items: [], nextPath: undefined, total: undefined, isUnsearchable: true };
    }
    throw error;
  }
}

/** The transfers that match, page by page. The previous results stay on screen while new ones load. */
export function historyQuery(filters: TransactionFilters) {
  const params = new URLSearchParams({ ...(filters as Record<string, string>), limit: String(HISTORY_PAGE_SIZE) });
  return infiniteQueryOptions({
    queryKey: [...HISTORY_KEY, filters],
    queryFn: ({ pageParam, signal }) => fetchHistory(pageParam, signal),
    initialPageParam: `/api/transactions?${params}`,
    getNextPageParam: (page) => page.nextPath,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS.history,
    refetchInterval: pollByLength(30_000),
    refetchOnWindowFocus: true,
  });
}
