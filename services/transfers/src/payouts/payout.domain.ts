import { parseMoney } from '@vuka/money';
import type { PayoutFailure, PayoutReport } from './payout-provider.ts';

/** What of a payout a provider's report must agree with. */
export interface ExpectedPayout {
  amount: bigint;
  currency: string;
  destination_account: string;
}

/** Why a report does not fit what was ordered: a kind of exception. */
type Misfit = 'different_amount' | 'different_currency' | 'different_msisdn' | 'missing_figures';

/**
 * How a report differs from what was ordered, or null. "1000", "1000.00" and "1000.0000" are one amount. A number may be
 * written without its country, or with a zero for it. A report that ends the payout must have all three figures.
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

/** Digits of a number within its country, in both of ours. */
const NATIONAL_DIGITS = 9;

/** Whether a spelling is this number, which is E.164 digits without the plus. */
function isNumber(spelling: string, number: string): boolean {
  const digits = spelling.replace(/\D/g, '').replace(/^0+/, '');
  return digits === number || (digits.length === NATIONAL_DIGITS && number.endsWith(digits));
}

/** Any number of zeros may follow the two decimals that an amount has. */
function amountOf(amount: string): bigint | null {
  const [units = '', decimals = '', ...more] = amount.split('.', 3);
  if (more.length > 0 || !/^0*$/.test(decimals.slice(2))) return null;
  try {
    return parseMoney(decimals === '' ? units : `${units}.${decimals.slice(0, 2)}`);
  } catch {
    return null;
  }
}

/** Failures that are the operator's to mend: the transfer waits, and nobody is told that it failed. */
export function isOperatorsToMend(failure: PayoutFailure): boolean {
  return failure.class === 'config' || failure.class === 'float';
}
