import type { QueryClient } from '@tanstack/react-query';
import { balancesQuery } from '#shared/api/balances.api.ts';
import { ratesQuery } from '#shared/api/rates.api.ts';
import { transactionsQuery } from '#shared/api/transactions.api.ts';

/** Requests what the send page and the dashboard show first; it need not wait for the user's name. */
export function prefetchFirstData(client: QueryClient): void {
  void client.prefetchQuery(balancesQuery());
  void client.prefetchQuery(ratesQuery());
  void client.prefetchQuery(transactionsQuery('dashboard'));
}
