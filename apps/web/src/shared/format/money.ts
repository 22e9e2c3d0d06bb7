// Formatted by hand: the first Intl formatter costs a cheap phone a tenth of a second, and English and Swahili group
// digits alike.
const GROUP_ENDS = /\B(?=(\d{3})+$)/g;
/** A decimal string: its sign, its whole units and its fraction. */
export const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Rounds a decimal string to whole units, half away from zero, without floating point. Undefined if it is not a number.
 */
export function toWholeUnits(amount: string): bigint | undefined {
  const match = DECIMAL.exec(amount.trim());
  if (!match) return undefined;
  const [, sign, whole = '0', fraction = ''] = match;
  const rounded = BigInt(whole) + (fraction.charAt(0) >= '5' ? 1n : 0n);
  return sign ? -rounded : rounded;
}

/** "1,251" for "1250.50": amounts are shown in whole units. */
export function formatWhole(amount: string): string {
  const units = toWholeUnits(amount);
  return units === undefined ? '0' : groupDigits(String(units));
}

/** "1,251 KES" */
export function formatAmount(amount: string, currency: string): string {
  return `${formatWhole(amount)} ${currency}`;
}

const MAX_AMOUNT_DIGITS = 12;

/** The digits of the typed text, without leading zeros, at most twelve. */
export function amountDigits(typed: string): string {
  return typed
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .slice(0, MAX_AMOUNT_DIGITS);
}

/**
 * "2,500" for "2,500.00": if only the point were removed, the decimals would make the amount ten or a hundred times as
 * large. One or two digits after the last point or comma are decimals, three are a group.
 */
export function dropDecimals(amount: string): string {
  return amount.replace(/[.,]\d{1,2}\D*$/, '');
}

/** "25,000" for "25000" */
export function groupDigits(digits: string): string {
  return digits.replace(GROUP_ENDS, ',');
}

/** Minor units of a decimal string. Undefined if it is not a number. */
export function toMinor(amount: string): bigint | undefined {
  const match = DECIMAL.exec(amount);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  return BigInt(sign + whole + fraction.padEnd(2, '0').slice(0, 2));
}

/** What `digits` (whole units) and a fee on top (a decimal string) take together, in minor units. */
export function withFee(digits: string, fee: string): bigint {
  return BigInt(digits) * 100n + (toMinor(fee) ?? 0n);
}

/** Whether `digits` (whole units) and a fee on top (a decimal string) exceed `balance` (a decimal string). */
export function exceeds(digits: string, balance: string, fee = '0'): boolean {
  const available = toMinor(balance);
  return available !== undefined && digits !== '' && withFee(digits, fee) > available;
}
