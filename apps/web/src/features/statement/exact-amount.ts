import { groupDigits } from '#shared/format/money.ts';

/** "1,250.50": a statement is added up by its readers, so it does not round as other screens do. */
export function formatExact(amount: string): string {
  const [, sign = '', units = '0', cents = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  return `${sign ? '−' : ''}${groupDigits(units)}.${cents.padEnd(2, '0')}`;
}
