import {
  AdminWithdrawal,
  AdminWithdrawals,
  type PayerClaim,
  type StatementComparison,
  type WithdrawalStatus,
} from '@vuka/contracts/http/withdrawals';
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
  comparison: Comparison;
}

/** Whether the administrator was asked to look for the payment on the bank statement first. */
type Comparison = z.infer<typeof StatementComparison>;

const Decided = z.object({ withdrawal: AdminWithdrawal });

export function decide({ id, kind, typed, comparison }: AskedDecision) {
  const body = { ...typed, ...comparison };
  return callApi(`/api/admin/withdrawals/${encodeURIComponent(id)}/${kind}`, Decided, { method: 'POST', body });
}

/** Says that the signed-in administrator is paying it by hand, instead of the payer whom they were shown. */
export const takeWithdrawal = (id: string, body: z.infer<typeof PayerClaim>) =>
  callApi(`/api/admin/withdrawals/${encodeURIComponent(id)}/take`, Decided, { method: 'POST', body });
