import { groupDigits } from '#shared/format/money.ts';

/** "23,030.50 TZS", and "23,030 TZS" without cents: differences and fees can be fractions of a unit. */
export function exactAmount(amount: string, currency: string): string {
  const [whole = '', cents = ''] = amount.split('.');
  return `${groupDigits(whole)}${Number(cents) === 0 ? '' : `.${cents}`} ${currency}`;
}
