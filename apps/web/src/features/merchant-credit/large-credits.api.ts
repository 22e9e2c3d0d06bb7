import { infiniteQueryOptions } from '@tanstack/react-query';
import { type CreditStatus, LargeCreditAnswer, LargeCredits } from '@vuka/contracts/http/credits';
import { callApi } from '#shared/api-client.ts';
import { pollByLength } from '#shared/pages-loaded.ts';

export const LARGE_CREDITS_KEY = ['/api/admin/credits'] as const;

const PAGE_SIZE = 50;

/** Large credits of one status: those that wait oldest first, the rest newest first. */
export function largeCreditsQuery(status: CreditStatus) {
  return infiniteQueryOptions({
    queryKey: [...LARGE_CREDITS_KEY, status],
    queryFn: ({ pageParam, signal }) =>
      callApi(`/api/admin/credits?status=${status}&limit=${PAGE_SIZE}${pageParam}`, LargeCredits, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor && `&cursor=${nextCursor}`,
    select: ({ pages }) => pages.flatMap(({ credits }) => credits),
    staleTime: 5_000,
    refetchInterval: pollByLength(15_000),
    refetchOnWindowFocus: true,
    refetchOnMount: true,
  });
}

export type CreditDecisionKind = 'approve' | 'refuse';

/** `typed` is the PIN, and the reason of a refusal. */
export function decideCredit(id: string, kind: CreditDecisionKind, typed: Record<string, string>) {
  const path = `/api/admin/credits/${encodeURIComponent(id)}/${kind}`;
  return callApi(path, LargeCreditAnswer, { method: 'POST', body: typed });
}
