import type { Direction } from '@vuka/contracts/http/common';
import type { Pricing } from '@vuka/contracts/internal/pricing';
import {
  compareAtRate,
  convertToMinor,
  convertToWholeUnits,
  cutToWholeUnits,
  inverseSellRate,
  MINOR_PER_UNIT,
} from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { smallestAmount } from '@vuka/money/currencies';
import { corridorOf } from '@vuka/money/directions';
import { AppError } from '@vuka/service-kit/app-error';
import { feeFor } from './fee.domain.ts';

/** The price of a transfer. Amounts in minor units; the fee is added to the source amount. */
export interface Price {
  direction: Direction;
  sourceAmount: bigint;
  sourceCurrency: WalletCurrency;
  targetAmount: bigint;
  targetCurrency: WalletCurrency;
  /** The source amount at the buy rate; the excess over the target amount is the margin. */
  midAmount: bigint;
  fee: bigint;
  rate: string;
}

/**
 * Prices a transfer; the only place where the server decides this. Throws rate_unavailable for a corridor that has no
 * rate.
 */
export function priceTransfer(pricing: Pricing, direction: Direction, sourceAmount: bigint): Price {
  const { source: sourceCurrency, target: targetCurrency, rate: rated } = corridorOf(direction);
  if (!rated) throw new AppError('rate_unavailable');
  const rate = rated === 'buy' ? pricing.kesToTzs : pricing.tzsToKes;
  const midRate = rated === 'buy' ? pricing.buyRate : inverseSellRate(pricing.buyRate, '0');
  const midAmount = convertToMinor(sourceAmount, midRate, smallestAmount(targetCurrency));
  const fee = feeFor(pricing.fees, { type: 'transfer', currency: sourceCurrency, amount: sourceAmount });
  const rounded = convertToWholeUnits(sourceAmount, rate);
  const isFair = isPaidFor(pricing, { direction, sourceAmount, fee, targetAmount: rounded });
  return {
    direction,
    sourceAmount,
    sourceCurrency,
    targetAmount: isFair ? rounded : wholeWorth(pricing, direction, { sourceAmount, midAmount }),
    targetCurrency,
    midAmount,
    fee,
    rate,
  };
}

/**
 * With a margin or fees, rounding a small amount must not return more than was paid: otherwise many small transfers
 * back and forth would create money. The margin is never spent on rounding because of a fee; without a margin, the fee
 * may cover the rounding. With neither, about half of all amounts are rounded up.
 */
function isPaidFor(
  { buyRate, markup, fees }: Pricing,
  order: Pick<Price, 'direction' | 'sourceAmount' | 'fee' | 'targetAmount'>,
): boolean {
  const { direction, sourceAmount, fee, targetAmount } = order;
  if (isPositive(markup)) return isWorth(buyRate, direction, sourceAmount, targetAmount);
  const hasFees = fees.some(
    ({ transactionType, fixedFee, percentageFee }) =>
      transactionType === 'transfer' && (isPositive(fixedFee) || isPositive(percentageFee)),
  );
  return !hasFees || isWorth(buyRate, direction, sourceAmount + fee, targetAmount);
}

const isPositive = (decimal: string) => /[1-9]/.test(decimal);

/** Whether an amount is worth at least another at the buy rate, exactly. */
function isWorth(buyRate: string, direction: Direction, sourceAmount: bigint, targetAmount: bigint): boolean {
  return corridorOf(direction).rate === 'buy'
    ? compareAtRate(sourceAmount, buyRate, targetAmount) >= 0
    : compareAtRate(targetAmount, buyRate, sourceAmount) <= 0;
}

/** The whole units of an amount's worth at the buy rate. */
function wholeWorth(
  { buyRate }: Pricing,
  direction: Direction,
  { sourceAmount, midAmount }: Pick<Price, 'sourceAmount' | 'midAmount'>,
): bigint {
  const units = cutToWholeUnits(midAmount);
  // 0.996 units round to 1.00 in minor units.
  return isWorth(buyRate, direction, sourceAmount, units) ? units : units - MINOR_PER_UNIT;
}
