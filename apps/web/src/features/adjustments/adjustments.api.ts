import { AdjustmentAnswer, type AdjustmentStatus, Adjustments } from '@vuka/contracts/http/adjustments';
import { reviewListQuery } from '#shared/admin/review-list.ts';
import { callApi } from '#shared/api-client.ts';
import { submitOnce } from '#shared/submission-key.ts';

export const ADJUSTMENTS_KEY = ['/api/admin/adjustments'] as const;

/** Adjustments of one status: waiting ones oldest first, all others newest first. */
export const adjustmentsQuery = (status: AdjustmentStatus) =>
  reviewListQuery({ key: ADJUSTMENTS_KEY, status, schema: Adjustments, read: ({ adjustments }) => adjustments });

export type AdjustmentFields = Record<'kind' | 'amount' | 'currency' | 'reason' | 'from' | 'to' | 'pin', string>;

/** One request, however often it is sent before its outcome is known. Its key is derived from everything but the PIN. */
export function requestAdjustment({ pin, from, to, ...rest }: AdjustmentFields) {
  const adjustment = rest.kind === 'correction' ? { ...rest, from, to } : rest;
  return submitOnce('adjustment', adjustment, (idempotencyKey) =>
    callApi(ADJUSTMENTS_KEY[0], AdjustmentAnswer, { method: 'POST', body: { ...adjustment, pin }, idempotencyKey }),
  );
}
