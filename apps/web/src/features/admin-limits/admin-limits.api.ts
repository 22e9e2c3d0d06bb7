import { queryOptions } from '@tanstack/react-query';
import { AllLimits } from '@vuka/contracts/http/tier-limits';
import { callApi } from '#shared/api-client.ts';

export const TIER_LIMITS_KEY = ['/api/admin/limits'] as const;
export const TIER_LIMIT_PROPOSALS_KEY = ['/api/admin/tier-limit-proposals'] as const;

export function tierLimitsQuery() {
  return queryOptions({
    queryKey: TIER_LIMITS_KEY,
    queryFn: async ({ signal }) => (await callApi('/api/admin/limits', AllLimits, { signal })).limits,
    staleTime: 0,
  });
}

export function setLimits(limits: object) {
  return callApi('/api/admin/limits', AllLimits, { method: 'POST', body: limits });
}
