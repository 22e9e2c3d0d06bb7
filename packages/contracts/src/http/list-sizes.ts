/**
 * Lists of the admin area without pages, and how many entries they have at most: the newest, of stuck transfers and dead
 * messages the oldest, and of payout exceptions the open ones before others.
 */
export const LIST_SIZES = {
  deposits: 500,
  rateHistory: 500,
  stuckTransfers: 500,
  integrationLogs: 200,
  payoutExceptions: 200,
  deadMessages: 100,
} as const;
