/**
 * The largest number of entries in those lists of the admin area that have no pages. Lists show the newest entries; for
 * stuck transfers and dead messages the oldest; for payout exceptions the open ones first.
 */
export const LIST_SIZES = {
  deposits: 500,
  rateHistory: 500,
  stuckTransfers: 500,
  integrationLogs: 200,
  payoutExceptions: 200,
  deadMessages: 100,
} as const;
