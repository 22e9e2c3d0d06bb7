import { parseMoney } from '@vuka/money';
import type { PayoutFailure, PayoutReport } from './payout-provider.ts';

/** What of a payout a provider's report must agree with. */
export interface ExpectedPayout {
  amount: bigint;
  currency: string;
  destination_account: string;
}

/**
 * How a report differs from what was ordered, or null. "1000", "1000.00" and "1000.0000" are one amount; a figure that
 * the provider leaves out is not compared. A number may be written without its country, or with a zero for it.
 */
export function differsFrom(expected: ExpectedPayout, report: PayoutReport): string | null {
  if (report.amount !== undefined && amountOf(report.amount) !== expected.amount) return 'amount';
  if (report.currency !== undefined && report.currency !== expected.currency) return 'currency';
  if (report.msisdn !== undefined && !isNumber(report.msisdn, expected.destination_account)) return 'msisdn';
  return null;
}

/** Digits of a number within its country, in both of ours. */
const NATIONAL_DIGITS = 9;

/** Whether a spelling is this number, which is E.164 digits without the plus. */
function isNumber(spelling: string, number: string): boolean {
  const digits = spelling.replace(/\D/g, '').replace(/^0+/, '');
  return digits === number || (digits.length === NATIONAL_DIGITS && number.endsWith(digits));
}

function amountOf(amount: string): bigint | null {
  const trimmed = amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount;
  try {
    return parseMoney(trimmed);
  } catch {
    return null;
  }
}

/** Failures that are the operator's to mend: the transfer waits, and nobody is told that it failed. */
export function isOperatorsToMend(failure: PayoutFailure): boolean {
  return failure.class === 'config' || failure.class === 'float';
}
