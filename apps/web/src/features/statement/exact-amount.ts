import { groupDigits } from '#shared/format/money.ts';

/** "1,250.50": readers add a statement up, so unlike other screens it does not round. */
export function formatExact(amount: string): string {
  const [, sign = '', units = '0', cents = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  return `${sign ? '−' : ''}${groupDigits(units)}.${cents.padEnd(2, '0')}`;
}
