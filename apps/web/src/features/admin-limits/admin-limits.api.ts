import { queryOptions } from '@tanstack/react-query';
import {
  AllLimits,
  type TierLimits,
  type TierLimitsProposal,
  TierLimitsProposals,
} from '@vuka/contracts/http/tier-limits';
import type { ProposalList } from '#shared/admin/review-list.ts';
import { callApi } from '#shared/api-client.ts';

export const TIER_LIMITS_KEY = ['/api/admin/limits'] as const;

export const TIER_LIMIT_PROPOSALS: ProposalList<TierLimitsProposal> = {
  key: ['/api/admin/tier-limit-proposals'],
  schema: TierLimitsProposals,
};

export function tierLimitsQuery() {
  return queryOptions({
    queryKey: TIER_LIMITS_KEY,
    queryFn: async ({ signal }) => (await callApi('/api/admin/limits', AllLimits, { signal })).limits,
    staleTime: 0,
  });
}

export function setLimits(limits: TierLimits & { replaces: TierLimits }) {
  return callApi('/api/admin/limits', AllLimits, { method: 'POST', body: limits });
}
