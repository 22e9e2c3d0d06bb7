import { queryOptions } from '@tanstack/react-query';
import { type RateProposal, RateProposalAnswer, RateProposals } from '@vuka/contracts/http/proposals';
import { RateHistoryItem, Rates } from '@vuka/contracts/http/rates';
import * as z from 'zod/mini';
import type { ProposalList } from '#shared/admin/review-list.ts';
import { callApi, sendRequest } from '#shared/api-client.ts';

export function rateHistoryQuery() {
  return queryOptions({
    queryKey: ['/api/rates/history'],
    queryFn: ({ signal }) => callApi('/api/rates/history', z.array(RateHistoryItem), { signal }),
    staleTime: 0,
    refetchOnMount: true,
    refetchOnWindowFocus: true,
    refetchInterval: 30_000,
  });
}

export const RATE_PROPOSALS: ProposalList<RateProposal> = {
  key: ['/api/admin/rate-proposals'],
  schema: RateProposals,
};

/** In force at once, or waiting for another administrator. */
const Answer = z.union([Rates, RateProposalAnswer]);

/** Returns undefined if the rates were taken with an answer that cannot be read. */
export async function updateRates(rates: { buyRate: string; markup: string; replaces: string | undefined }) {
  const { json } = await sendRequest('/api/rates/update', { method: 'POST', body: rates });
  return z.safeParse(Answer, json).data;
}
