import * as z from 'zod/mini';
import { Money, WalletCurrency } from './common.ts';

/** Available balances: money held for open transfers is excluded. */
export const Balances = z.object({
  defaultCurrency: WalletCurrency,
  balances: z.object({ KES: Money, TZS: Money }),
});
export type Balances = z.infer<typeof Balances>;
