import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';

const COLOURS = ['bg-wallet-1', 'bg-wallet-2'];
/** Lighter on a dark page. */
const DOTS = ['bg-chart-1', 'bg-chart-2'];

function ofWallet(colours: readonly string[], currency: WalletCurrency | undefined): string {
  const index = currency ? WALLET_CURRENCIES.indexOf(currency) : 0;
  return colours[index % colours.length] ?? '';
}

/** The background of a wallet, and of recipients who are paid in its currency. */
export function walletColour(currency: WalletCurrency | undefined): string {
  return ofWallet(COLOURS, currency);
}

/** The colour of a wallet for a mark without text. */
export function walletDot(currency: WalletCurrency): string {
  return ofWallet(DOTS, currency);
}
