import { type CreditStatus, LargeCreditAnswer, LargeCredits } from '@vuka/contracts/http/credits';
import { reviewListQuery } from '#shared/admin/review-list.ts';
import { callApi } from '#shared/api-client.ts';

export const LARGE_CREDITS_KEY = ['/api/admin/credits'] as const;

/** Large credits of one status: those that wait oldest first, the rest newest first. */
export const largeCreditsQuery = (status: CreditStatus) =>
  reviewListQuery({ key: LARGE_CREDITS_KEY, status, schema: LargeCredits, read: ({ credits }) => credits });

export type CreditDecisionKind = 'approve' | 'refuse';

/** `typed` is the PIN, and the reason of a refusal. */
export function decideCredit(id: string, kind: CreditDecisionKind, typed: Record<string, string>) {
  const path = `/api/admin/credits/${encodeURIComponent(id)}/${kind}`;
  return callApi(path, LargeCreditAnswer, { method: 'POST', body: typed });
}
