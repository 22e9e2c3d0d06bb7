import { queryOptions } from '@tanstack/react-query';
import { AdminWithdrawal, AdminWithdrawals, type WithdrawalStatus } from '@vuka/contracts/http/withdrawals';
import * as z from 'zod/mini';
import { callApi } from '#shared/api-client.ts';

export const ADMIN_WITHDRAWALS_KEY = ['/api/admin/withdrawals'] as const;

/** Withdrawals of one status: those that wait oldest first, the rest newest first. */
export function adminWithdrawalsQuery(status: WithdrawalStatus) {
  return queryOptions({
    queryKey: [...ADMIN_WITHDRAWALS_KEY, status],
    queryFn: async ({ signal }) =>
      (await callApi(`/api/admin/withdrawals?status=${status}&limit=200`, AdminWithdrawals, { signal })).withdrawals,
    staleTime: 5_000,
    refetchInterval: 15_000,
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
