import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';

const COLOURS = ['bg-wallet-1', 'bg-wallet-2'];

/** The background of a wallet, and of the countries that are paid in its currency. */
export function walletColour(currency: WalletCurrency): string {
  return COLOURS[WALLET_CURRENCIES.indexOf(currency) % COLOURS.length] ?? '';
}
