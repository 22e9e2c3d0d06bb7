import * as z from 'zod/mini';
import { Id, Money, Timestamp } from '../http/common.ts';
import { LedgerCurrency } from '../internal/wallet.ts';

export const BALANCES_CHANGED = 'wallet.balances-changed.v1';

/** One message per commit of the ledger; `available` is the user's available balance right after that change. */
export const BalancesChanged = z.object({
  changes: z.array(z.object({ userId: Id, currency: LedgerCurrency, transferId: Id, available: Money, at: Timestamp })),
});
export type BalancesChanged = z.infer<typeof BalancesChanged>;
