import { DECIMAL, groupDigits } from './money.ts';

/** "1,250.50": readers add a statement up, so unlike on other screens nothing is rounded. */
export function formatExact(amount: string): string {
  const match = DECIMAL.exec(amount);
  if (!match) return amount;
  const [, sign = '', units = '', cents = ''] = match;
  return `${sign}${groupDigits(units)}.${cents.padEnd(2, '0')}`;
}

/** "23,030.50 TZS", and "23,030 TZS" without cents: differences, fees and sums with a fee can be fractions of a unit. */
export function formatExactAmount(amount: string, currency: string): string {
  return `${formatExact(amount).replace(/\.00$/, '')} ${currency}`;
}
