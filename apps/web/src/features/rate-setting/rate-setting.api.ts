import { queryOptions } from '@tanstack/react-query';
import { RateProposalAnswer } from '@vuka/contracts/http/proposals';
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

export const RATE_PROPOSALS_KEY = ['/api/admin/rate-proposals'] as const;

/** In force at once, or waiting for another administrator. */
const Answer = z.union([Rates, RateProposalAnswer]);

export function updateRates(rates: { buyRate: string; markup: string }) {
  return callApi('/api/rates/update', Answer, { method: 'POST', body: rates });
}
