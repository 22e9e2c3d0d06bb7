import type { Fee, NewFee } from '@vuka/contracts/http/fees';
import { formatMoney, parseMoney } from '@vuka/money';

type Band = Pick<Fee, 'transactionType' | 'currency' | 'minAmount'> & { maxAmount?: string | null | undefined };

/** The band that a new one would share amounts with; a band ends before its greatest amount. */
export function findOverlap<Known extends Band>(bands: readonly Known[], added: Band): Known | undefined {
  return bands.find(
    (band) =>
      band.transactionType === added.transactionType &&
      band.currency === added.currency &&
      startsBeforeEnd(band, added) &&
      startsBeforeEnd(added, band),
  );
}

function startsBeforeEnd(band: Band, other: Band): boolean {
  return !other.maxAmount || parseMoney(band.minAmount) < parseMoney(other.maxAmount);
}

/** "from 0.00 to 1000.00", as an error names a band. */
export function describeBand({ minAmount, maxAmount }: Pick<NewFee, 'minAmount' | 'maxAmount'>): string {
  const from = formatMoney(parseMoney(minAmount));
  return maxAmount ? `from ${from} to ${formatMoney(parseMoney(maxAmount))}` : `from ${from} upwards`;
}
