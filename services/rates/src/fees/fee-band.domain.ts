import type { Fee, NewFee } from '@vuka/contracts/http/fees';
import { formatMoney, parseMoney } from '@vuka/money';

type Band = Pick<Fee, 'transactionType' | 'currency' | 'minAmount'> & { maxAmount?: string | null | undefined };

/** The existing band that overlaps a new one; a band's maximum is exclusive. */
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

/** Describes a band for the audit trail, such as "from 0.00 to 1000.00". */
export function describeBand({ minAmount, maxAmount }: Pick<NewFee, 'minAmount' | 'maxAmount'>): string {
  const from = formatMoney(parseMoney(minAmount));
  return maxAmount ? `from ${from} to ${formatMoney(parseMoney(maxAmount))}` : `from ${from} upwards`;
}
