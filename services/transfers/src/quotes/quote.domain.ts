import type { Direction } from '@vuka/contracts/http/common';
import type { FeeType } from '@vuka/contracts/http/fees';
import type { FeeBand, Pricing } from '@vuka/contracts/internal/pricing';
import {
  convertToMinor,
  convertToWholeUnits,
  cutToWholeUnits,
  inverseSellRate,
  parseMoney,
  percentageOf,
} from '@vuka/money';

type WalletCurrency = 'KES' | 'TZS';

/** What a transfer costs and brings. Amounts in minor units; the fee is on top of the source amount. */
export interface Price {
  direction: Direction;
  sourceAmount: bigint;
  sourceCurrency: WalletCurrency;
  targetAmount: bigint;
  targetCurrency: WalletCurrency;
  /** The source amount at the buy rate: what is above the target amount is the margin. */
  midAmount: bigint;
  fee: bigint;
  rate: string;
}

export function currenciesOf(direction: Direction): [source: WalletCurrency, target: WalletCurrency] {
  return direction === 'KES_TO_TZS' ? ['KES', 'TZS'] : ['TZS', 'KES'];
}

/** Prices an amount; the one place where the server decides what a transfer costs. */
export function priceTransfer(pricing: Pricing, direction: Direction, sourceAmount: bigint): Price {
  const [sourceCurrency, targetCurrency] = currenciesOf(direction);
  const rate = direction === 'KES_TO_TZS' ? pricing.kesToTzs : pricing.tzsToKes;
  const midRate = direction === 'KES_TO_TZS' ? pricing.buyRate : inverseSellRate(pricing.buyRate, '0');
  const midAmount = convertToMinor(sourceAmount, midRate);
  const rounded = convertToWholeUnits(sourceAmount, rate);
  return {
    direction,
    sourceAmount,
    sourceCurrency,
    targetAmount: hasMargin(pricing) && rounded > midAmount ? cutToWholeUnits(midAmount) : rounded,
    targetCurrency,
    midAmount,
    fee: feeFor(pricing.fees, { type: 'transfer', currency: sourceCurrency, amount: sourceAmount }),
    rate,
  };
}

/**
 * Where the house takes a margin, a small amount's rounding may not give it back with interest: there and back again,
 * in many small transfers, would make money out of nothing. Without a margin every second amount is rounded up.
 */
function hasMargin({ markup }: Pricing): boolean {
  return /[1-9]/.test(markup);
}

/** The fee of the band that the amount falls into: from its least amount up to, but not including, its greatest. */
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
  return band ? parseMoney(band.fixedFee) + percentageOf(amount, band.percentageFee) : 0n;
}
