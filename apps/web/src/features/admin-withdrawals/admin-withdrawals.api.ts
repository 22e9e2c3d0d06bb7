import { AdminWithdrawal, AdminWithdrawals, type WithdrawalStatus } from '@vuka/contracts/http/withdrawals';
import * as z from 'zod/mini';
import { reviewListQuery } from '#shared/admin/review-list.ts';
import { callApi } from '#shared/api-client.ts';

export const ADMIN_WITHDRAWALS_KEY = ['/api/admin/withdrawals'] as const;

/** Withdrawals of one status: waiting ones oldest first, all others newest first. */
export const adminWithdrawalsQuery = (status: WithdrawalStatus) =>
  reviewListQuery({
    key: ADMIN_WITHDRAWALS_KEY,
    status,
    schema: AdminWithdrawals,
    read: ({ withdrawals }) => withdrawals,
  });

export type DecisionKind = 'approve' | 'refuse' | 'complete' | 'fail';

interface AskedDecision {
  id: string;
  kind: DecisionKind;
  /** The PIN, and the reason of a refusal or the bank's reference of a payment. */
  typed: Record<string, string>;
}

const Decided = z.object({ withdrawal: AdminWithdrawal });

export function decide({ id, kind, typed }: AskedDecision) {
  return callApi(`/api/admin/withdrawals/${encodeURIComponent(id)}/${kind}`, Decided, { method: 'POST', body: typed });
}

/** Says that the signed-in administrator is paying it by hand; an earlier payer is replaced. */
export const takeWithdrawal = (id: string) =>
  callApi(`/api/admin/withdrawals/${encodeURIComponent(id)}/take`, Decided, { method: 'POST' });
