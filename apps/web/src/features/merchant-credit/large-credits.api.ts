import { type CreditStatus, LargeCredits } from '@vuka/contracts/http/credits';
import { reviewListQuery } from '#shared/admin/review-list.ts';

export const LARGE_CREDITS_KEY = ['/api/admin/credits'] as const;

/** Large credits of one status: waiting ones oldest first, all others newest first. */
export const largeCreditsQuery = (status: CreditStatus) =>
  reviewListQuery({ key: LARGE_CREDITS_KEY, status, schema: LargeCredits, read: ({ credits }) => credits });
