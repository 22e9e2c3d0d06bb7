/**
 * Arithmetic of money and rates. Amounts are bigint minor units (1/100 of the currency unit, in every currency); rates
 * are decimal strings, so that nothing is ever a floating-point number.
 */
export const MINOR_PER_UNIT = 100n;
const AMOUNT = /^(-?)(\d{1,18})(?:\.(\d{1,2}))?$/;
const DECIMAL = /^(\d{1,18})(?:\.(\d{1,24}))?$/;
const RATE_DIGITS = 15;

/** Minor units of a decimal string such as "1250", "1250.5" or "1250.50". Throws RangeError on anything else. */
export function parseMoney(amount: string): bigint {
  const match = AMOUNT.exec(amount);
  if (!match) throw new RangeError(`not an amount: ${amount.slice(0, 40)}`);
  const [, sign, units = '0', cents = ''] = match;
  const minor = BigInt(units) * MINOR_PER_UNIT + BigInt(cents.padEnd(2, '0'));
  return sign === '-' ? -minor : minor;
}

/** The decimal string with two places of an amount in minor units. */
export function formatMoney(amountMinor: bigint): string {
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(3, '0');
  return `${amountMinor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * What `sourceMinor` buys at `rate` (target units per source unit), rounded once, half up, to whole units of the
 * target currency. The answer is in minor units.
 */
export function convertToWholeUnits(sourceMinor: bigint, rate: string): bigint {
  return multiply(sourceMinor, rate, MINOR_PER_UNIT) * MINOR_PER_UNIT;
}

/** The whole units in an amount that is not negative, rounded down; in minor units. */
export function cutToWholeUnits(amountMinor: bigint): bigint {
  return amountMinor - (amountMinor % MINOR_PER_UNIT);
}

/** What `sourceMinor` is worth at `rate`, rounded once, half up, to a multiple of `smallest`; all in minor units. */
export function convertToMinor(sourceMinor: bigint, rate: string, smallest = 1n): bigint {
  return multiply(sourceMinor, rate, smallest) * smallest;
}

/**
 * Compares `amountMinor` at `rate` with another amount, exactly: negative if it is less, 0 if equal, positive if more.
 */
export function compareAtRate(amountMinor: bigint, rate: string, otherMinor: bigint): number {
  const { units, scale } = parseDecimal(rate);
  const [worth, other] = [amountMinor * units, otherMinor * 10n ** BigInt(scale)];
  return worth < other ? -1 : Number(worth > other);
}

/** `percent` per cent of an amount, rounded half up to a multiple of `smallest`; all in minor units. */
export function percentageOf(amountMinor: bigint, percent: string, smallest = 1n): bigint {
  return multiply(amountMinor, percent, 100n * smallest) * smallest;
}

/**
 * buyRate x (1 - markup/100), exact, for the corridor that the rate is quoted for. Both are decimal strings; the markup
 * is a percentage from 0 to 100.
 */
export function sellRate(buyRate: string, markupPercent: string): string {
  const buy = parseDecimal(buyRate);
  const kept = keptShare(markupPercent);
  return formatDecimal(buy.units * kept.units, buy.scale + kept.scale);
}

/**
 * (1 / buyRate) x (1 - markup/100), to 15 significant digits, the rest cut off: a rate rounded up would favour the
 * sender over the buy rate. Throws RangeError for a buy rate of zero.
 */
export function inverseSellRate(buyRate: string, markupPercent: string): string {
  const buy = parseDecimal(buyRate);
  if (buy.units === 0n) throw new RangeError('the buy rate is zero');
  const kept = keptShare(markupPercent);
  const scale = 40;
  const quotient = (kept.units * 10n ** BigInt(buy.scale + scale)) / (buy.units * 10n ** BigInt(kept.scale));
  const excess = Math.max(0, quotient.toString().length - RATE_DIGITS);
  return formatDecimal(quotient / 10n ** BigInt(excess), scale - excess);
}

/**
 * Whether `value` lies between `low` and `high` times `base`, both included; exact. All are decimal strings. If the
 * base is zero, only zero does.
 */
export function isWithinFactors(value: string, base: string, { low, high }: { low: string; high: string }): boolean {
  return compareDecimals(value, timesDecimal(base, low)) >= 0 && compareDecimals(value, timesDecimal(base, high)) <= 0;
}

function timesDecimal(left: string, right: string): string {
  const [a, b] = [parseDecimal(left), parseDecimal(right)];
  return formatDecimal(a.units * b.units, a.scale + b.scale);
}

function compareDecimals(left: string, right: string): number {
  const [a, b] = [parseDecimal(left), parseDecimal(right)];
  const difference = a.units * 10n ** BigInt(b.scale) - b.units * 10n ** BigInt(a.scale);
  return difference < 0n ? -1 : Number(difference > 0n);
}

function keptShare(markupPercent: string) {
  const markup = parseDecimal(markupPercent);
  const hundred = 100n * 10n ** BigInt(markup.scale);
  if (markup.units > hundred) throw new RangeError('a markup is at most 100 per cent');
  return { units: hundred - markup.units, scale: markup.scale + 2 };
}

function multiply(amountMinor: bigint, factor: string, divideBy: bigint): bigint {
  if (amountMinor < 0n) throw new RangeError('an amount to convert is not negative');
  const { units, scale } = parseDecimal(factor);
  const divisor = 10n ** BigInt(scale) * divideBy;
  return (2n * amountMinor * units + divisor) / (2n * divisor);
}

function parseDecimal(decimal: string): { units: bigint; scale: number } {
  const match = DECIMAL.exec(decimal);
  if (!match) throw new RangeError(`not a decimal: ${decimal.slice(0, 40)}`);
  const fraction = match[2] ?? '';
  return { units: BigInt(match[1] + fraction), scale: fraction.length };
}

function formatDecimal(units: bigint, scale: number): string {
  const digits = units.toString().padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/(?<!0)0+$/, '');
  const whole = digits.slice(0, digits.length - scale);
  return scale > 0 && fraction !== '' ? `${whole}.${fraction}` : whole;
}
