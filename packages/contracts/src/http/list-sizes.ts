/** Lists of the admin area without pages, and how many entries they have at most: the newest, of stuck transfers the oldest. */
export const LIST_SIZES = { deposits: 500, rateHistory: 500, stuckTransfers: 500, integrationLogs: 200 } as const;
