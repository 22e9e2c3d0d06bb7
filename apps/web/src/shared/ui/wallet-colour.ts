import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';

const COLOURS = ['bg-wallet-1', 'bg-wallet-2'];

/** The background of a wallet, and of recipients who are paid in its currency. */
export function walletColour(currency: WalletCurrency | undefined): string {
  const index = currency ? WALLET_CURRENCIES.indexOf(currency) : 0;
  return COLOURS[index % COLOURS.length] ?? '';
}
