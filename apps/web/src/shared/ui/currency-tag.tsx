import type { WalletCurrency } from '@vuka/money/corridors';
import { walletColour } from './wallet-colour.ts';

/** A currency in the colour of its wallet. */
export function CurrencyTag({ currency }: { currency: WalletCurrency }) {
  return (
    <span
      className={`self-center rounded-chip px-2 py-0.5 align-middle text-small font-semibold tracking-normal text-white ${walletColour(currency)}`}
    >
      {currency}
    </span>
  );
}
