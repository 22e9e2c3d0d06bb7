import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { Money, WalletCurrency } from './common.ts';

/** Available balances: money held for open transfers is excluded. */
export const Balances = z.object({
  defaultCurrency: WalletCurrency,
  balances: z.object(byCurrency(WALLET_CURRENCIES, () => Money)),
});
export type Balances = z.infer<typeof Balances>;
