import * as z from 'zod/mini';

/** `GET /internal/deposits/recent-count`: an administrator's deposits of the last days. */
export const DepositCount = z.object({ count: z.int(), days: z.int() });
