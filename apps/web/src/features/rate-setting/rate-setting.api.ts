import { queryOptions } from '@tanstack/react-query';
import { RateHistoryItem, Rates } from '@vuka/contracts/http/rates';
import * as z from 'zod/mini';
import { callApi } from '#shared/api-client.ts';

export function rateHistoryQuery() {
  return queryOptions({
    queryKey: ['/api/rates/history'],
    queryFn: ({ signal }) => callApi('/api/rates/history', z.array(RateHistoryItem), { signal }),
    staleTime: 0,
    refetchOnMount: true,
  });
}

export function updateRates(rates: { buyRate: string; markup: string }) {
  return callApi('/api/rates/update', Rates, { method: 'POST', body: rates });
}
