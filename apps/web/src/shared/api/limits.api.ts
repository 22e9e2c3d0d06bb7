import { queryOptions } from '@tanstack/react-query';
import { OwnLimits } from '@vuka/contracts/http/limits';
import { callApi } from '#shared/api-client.ts';

export const LIMITS_KEY = ['/api/limits'] as const;

/** The user's own limits, and what is left of them. */
export function limitsQuery() {
  return queryOptions({
    queryKey: LIMITS_KEY,
    queryFn: ({ signal }) => callApi('/api/limits', OwnLimits, { signal }),
    staleTime: 0,
    refetchOnMount: true,
    meta: { silent: true },
  });
}
