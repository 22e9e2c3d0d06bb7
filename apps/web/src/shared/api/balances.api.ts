import { queryOptions } from '@tanstack/react-query';
import { Balances } from '@vuka/contracts/http/balances';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { Amount } from '#shared/api/fields.ts';
import { BALANCES_KEY } from '#shared/api/keys.ts';
import { ApiError, callApi } from '#shared/api-client.ts';

const Answer = z.extend(Balances, { balances: z.object(byCurrency(WALLET_CURRENCIES, () => Amount)) });

async function fetchBalances(signal: AbortSignal): Promise<Balances | null> {
  try {
    return await callApi('/api/balances', Answer, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Null without a session. Fetched when a screen that shows it opens; a new session clears the cache. */
export function balancesQuery() {
  return queryOptions({
    queryKey: BALANCES_KEY,
    queryFn: ({ signal }) => fetchBalances(signal),
    // Long enough that the request sent before the page rendered counts as the page's own.
    staleTime: 2_000,
    refetchOnMount: true,
    refetchOnReconnect: true,
  });
}
