import { formatMoney } from '@vuka/money';
import type { PayoutReport, StatementLine } from './payout-provider.ts';

/**
 * What an exception is about, one text per payment or report. A difference that shows evidence which the exception has not seen is
 * news, although its kind is known: a third payment, or a report of other figures.
 */
export type Evidence = readonly string[];

/** The payments of one payout. Each begins with its time; equal ones are numbered, since each is a payment. */
export function evidenceOfLines(lines: readonly StatementLine[]): Evidence {
  const times = new Map<string, number>();
  return lines.map(({ recordedAt, amountMinor, currency, msisdn }) => {
    const text = `${recordedAt.toISOString()} ${formatMoney(amountMinor)} ${currency} ${msisdn}`;
    const count = (times.get(text) ?? 0) + 1;
    times.set(text, count);
    return count === 1 ? text : `${text} #${count}`;
  });
}

/** A report that is repeated, by callback or inquiry, is the same evidence. */
export function evidenceOfReport({ state, amount = '?', currency = '?', msisdn = '?' }: PayoutReport): Evidence {
  return [`${state} ${amount} ${currency} ${msisdn}`];
}
