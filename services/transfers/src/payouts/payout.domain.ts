import { parseMoney } from '@vuka/money';
import type { PayoutFailure, PayoutReport } from './payout-provider.ts';

/** Fields that a report must match. */
export interface ExpectedPayout {
  amount: bigint;
  currency: string;
  destination_account: string;
}

/** How a report differs from the order: the kind of exception to open. */
export type Misfit = 'different_amount' | 'different_currency' | 'different_msisdn' | 'missing_figures';

/**
 * How a report differs from the order, or null. "1000", "1000.00" and "1000.0000" are the same amount. A number may be
 * written without its country code, or with a zero instead. A report that ends the payout must have all three figures.
 */
export function misfitOf(expected: ExpectedPayout, report: PayoutReport): Misfit | null {
  const { amount, currency, msisdn } = report;
  if (amount !== undefined && amountOf(amount) !== expected.amount) return 'different_amount';
  if (currency !== undefined && currency !== expected.currency) return 'different_currency';
  if (msisdn !== undefined && !isNumber(msisdn, expected.destination_account)) return 'different_msisdn';
  const isEnd = report.state === 'completed' || report.state === 'failed';
  const isWhole = amount !== undefined && currency !== undefined && msisdn !== undefined;
  return isEnd && !isWhole ? 'missing_figures' : null;
}

/** Digits of a national number, in both countries. */
const NATIONAL_DIGITS = 9;

/** Whether a spelling denotes this number, given as E.164 digits without the plus. */
function isNumber(spelling: string, number: string): boolean {
  const digits = spelling.replace(/\D/g, '').replace(/^0+/, '');
  return digits === number || (digits.length === NATIONAL_DIGITS && number.endsWith(digits));
}

/** Accepts any number of zeros after the two decimals of an amount. */
function amountOf(amount: string): bigint | null {
  const [units = '', decimals = '', ...more] = amount.split('.', 3);
  if (more.length > 0 || !/^0*$/.test(decimals.slice(2))) return null;
  try {
    return parseMoney(decimals === '' ? units : `${units}.${decimals.slice(0, 2)}`);
  } catch {
    return null;
  }
}

/** Failures that the operator must fix: the transfer waits and is not reported as failed. */
export function isOperatorsToMend(failure: PayoutFailure): boolean {
  return failure.class === 'config' || failure.class === 'float';
}
