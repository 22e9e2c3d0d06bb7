import { infiniteQueryOptions } from '@tanstack/react-query';
import { AdminWithdrawal, AdminWithdrawals, type WithdrawalStatus } from '@vuka/contracts/http/withdrawals';
import * as z from 'zod/mini';
import { callApi } from '#shared/api-client.ts';
import { pollByLength } from '#shared/pages-loaded.ts';

export const ADMIN_WITHDRAWALS_KEY = ['/api/admin/withdrawals'] as const;

const PAGE_SIZE = 50;

/** Withdrawals of one status: those that wait oldest first, the rest newest first. */
export function adminWithdrawalsQuery(status: WithdrawalStatus) {
  return infiniteQueryOptions({
    queryKey: [...ADMIN_WITHDRAWALS_KEY, status],
    queryFn: ({ pageParam, signal }) =>
      callApi(`/api/admin/withdrawals?status=${status}&limit=${PAGE_SIZE}${pageParam}`, AdminWithdrawals, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor && `&cursor=${nextCursor}`,
    select: ({ pages }) => pages.flatMap(({ withdrawals }) => withdrawals),
    staleTime: 5_000,
    refetchInterval: pollByLength(15_000),
    refetchOnWindowFocus: true,
    refetchOnMount: true,
  });
}

export type DecisionKind = 'approve' | 'refuse' | 'complete' | 'fail';

interface AskedDecision {
  id: string;
  kind: DecisionKind;
  /** The PIN, and the reason of a refusal or the reference under which the bank was paid. */
  typed: Record<string, string>;
}

const Decided = z.object({ withdrawal: AdminWithdrawal });

export function decide({ id, kind, typed }: AskedDecision) {
  return callApi(`/api/admin/withdrawals/${encodeURIComponent(id)}/${kind}`, Decided, { method: 'POST', body: typed });
}
