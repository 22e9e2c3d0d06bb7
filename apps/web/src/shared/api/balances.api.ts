import { queryOptions } from '@tanstack/react-query';
import { Balances } from '@vuka/contracts/http/balances';
import { ApiError, callApi } from '#shared/api-client.ts';

export const BALANCES_KEY = ['/api/balances'] as const;

async function fetchBalances(signal: AbortSignal): Promise<Balances | null> {
  try {
    return await callApi('/api/balances', Balances, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Null where there is no session. Fetched when a screen that shows it opens, and when the user changes. */
export function balancesQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: [...BALANCES_KEY, userId],
    queryFn: ({ signal }) => fetchBalances(signal),
    enabled: userId !== undefined,
    staleTime: 0,
    refetchOnMount: true,
    refetchOnReconnect: true,
  });
}
