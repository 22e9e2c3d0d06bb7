import * as z from 'zod/mini';
import { Money, WalletCurrency } from './common.ts';

/** What can be spent now: money held for transfers on their way is out. */
export const Balances = z.object({
  defaultCurrency: WalletCurrency,
  balances: z.object({ KES: Money, TZS: Money }),
});
export type Balances = z.infer<typeof Balances>;
