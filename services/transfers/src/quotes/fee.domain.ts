import type { FeeType } from '@vuka/contracts/http/fees';
import type { FeeBand } from '@vuka/contracts/internal/pricing';
import { parseMoney, percentageOf } from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { smallestAmount } from '@vuka/money/currencies';

/** The fee of the band that contains the amount: from its minimum (inclusive) to its maximum (exclusive). */
export function feeFor(
  bands: readonly FeeBand[],
  transaction: { type: FeeType; currency: WalletCurrency; amount: bigint },
): bigint {
  const { type, currency, amount } = transaction;
  const band = bands.find(
    (candidate) =>
      candidate.transactionType === type &&
      candidate.currency === currency &&
      amount >= parseMoney(candidate.minAmount) &&
      (candidate.maxAmount === null || amount < parseMoney(candidate.maxAmount)),
  );
  return band ? parseMoney(band.fixedFee) + percentageOf(amount, band.percentageFee, smallestAmount(currency)) : 0n;
}
