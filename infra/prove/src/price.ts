import type { Direction, WalletCurrency } from '@vuka/money/corridors';
import { corridorOf } from '@vuka/money/directions';

// Computes the price of an order in whole numbers. It shares only the table of corridors with the product, so that an
// error in the product's arithmetic shows.

/** The fee for amounts from `least` up to, but not including, `end`; minor units. */
export interface Band {
  type: 'transfer' | 'withdrawal';
  currency: WalletCurrency;
  least: bigint;
  end: bigint | null;
  fixed: bigint;
  /** A decimal number. */
  percent: string;
}

/** The prices that administrators set. The rate and the markup (percent) are decimal strings. */
export interface Prices {
  buyRate: string;
  markup: string;
  fees: readonly Band[];
}

/** Minor units. `mid` is the value at the buy rate; the margin is `mid` minus the target amount. */
export interface Price {
  target: bigint;
  fee: bigint;
  mid: bigint;
}

interface Fraction {
  over: bigint;
  under: bigint;
}

const MINOR = 100n;

/** The target amount, rounded once, half up, to whole units, but never above the value of what the sender pays. */
export function priceOf(prices: Prices, direction: Direction, amount: bigint): Price {
  const { source, rate } = corridorOf(direction);
  const buy = fractionOf(prices.buyRate);
  const worth = rate === 'buy' ? buy : { over: buy.under, under: buy.over };
  const markup = fractionOf(prices.markup);
  const kept = { over: 100n * markup.under - markup.over, under: 100n * markup.under };
  const fee = feeOf(prices, 'transfer', source, amount);
  const target = roundHalfUp(amount, { over: worth.over * kept.over, under: worth.under * kept.under }, MINOR);
  const paid = amount + (markup.over === 0n ? fee : 0n);
  const isPaidFor = target * worth.under <= paid * worth.over || isFree(prices);
  const wholeWorth = (amount * worth.over) / (worth.under * MINOR);
  return { target: isPaidFor ? target : wholeWorth * MINOR, fee, mid: roundHalfUp(amount, worth, 1n) };
}

/** The fee of the band that contains the amount, its share rounded half up to minor units. */
export function feeOf(prices: Prices, type: Band['type'], currency: WalletCurrency, amount: bigint): bigint {
  const contains = ({ least, end }: Band) => amount >= least && (end === null || amount < end);
  const band = prices.fees.find((each) => each.type === type && each.currency === currency && contains(each));
  if (!band) return 0n;
  const percent = fractionOf(band.percent);
  return band.fixed + roundHalfUp(amount, { over: percent.over, under: percent.under * 100n }, 1n);
}

/** Without markup and fees the operator earns nothing, so that about half of all amounts may round up. */
function isFree({ markup, fees }: Prices): boolean {
  const costs = ({ type, fixed, percent }: Band) =>
    type === 'transfer' && (fixed > 0n || fractionOf(percent).over > 0n);
  return fractionOf(markup).over === 0n && !fees.some(costs);
}

/** `amount` times a fraction, to a multiple of `unit`. */
function roundHalfUp(amount: bigint, { over, under }: Fraction, unit: bigint): bigint {
  const divisor = under * unit;
  return ((2n * amount * over + divisor) / (2n * divisor)) * unit;
}

function fractionOf(decimal: string): Fraction {
  const [units = '', decimals = ''] = decimal.split('.');
  return { over: BigInt(units + decimals), under: 10n ** BigInt(decimals.length) };
}

/** Minor units of a decimal number such as "12" or "12.50". */
export function minorOf(amount: string): bigint {
  const [units = '', decimals = ''] = amount.split('.');
  return BigInt(units + decimals.padEnd(2, '0'));
}

/** The decimal number of minor units. */
export const decimalOf = (minor: bigint): string => `${minor / MINOR}.${String(minor % MINOR).padStart(2, '0')}`;
