import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';

const COLOURS = ['bg-wallet-1', 'bg-wallet-2'];
/** Lighter on a dark page. */
const MARKS = [
  { dot: 'bg-chart-1', fill: 'fill-chart-1' },
  { dot: 'bg-chart-2', fill: 'fill-chart-2' },
] as const;

/** Whether there are wallets in a currency. */
export function isWallet(currency: string): currency is WalletCurrency {
  return WALLET_CURRENCIES.some((each) => each === currency);
}

/** The colour of a wallet, of colours in the order of the currencies. */
export function ofWallet<Colour>(colours: readonly Colour[], currency: WalletCurrency | undefined): Colour | undefined {
  const index = currency ? WALLET_CURRENCIES.indexOf(currency) : 0;
  return colours[index % colours.length];
}

/** The background of a wallet, and of recipients who are paid in its currency. */
export function walletColour(currency: WalletCurrency | undefined): string {
  return ofWallet(COLOURS, currency) ?? '';
}

/** The colours of a wallet for marks without text: a dot, and the bars of a chart. */
export function walletMarks(currency: WalletCurrency): (typeof MARKS)[number] {
  return ofWallet(MARKS, currency) ?? MARKS[0];
}
