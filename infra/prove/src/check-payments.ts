import type { Booked, Payment } from '@vuka/local/testing/booked';
import type { Asked, ProviderRecord } from './provider-record.ts';

/** The problems found in the payments of a run, one line each. */
export interface PaymentFindings {
  /** Settled, but not paid; or never ended. */
  lost: string[];
  /** Paid more than once, or paid and returned. */
  doubled: string[];
  violations: string[];
}

/**
 * Compares the books with what an independent recorder saw of the provider. Payments are compared by id and, since an
 * id can be wrong too, by number and amount: the network paid each amount to each number as often as such a transfer
 * settled.
 */
export function checkPayments(
  rows: readonly Booked[],
  { asked, payments }: Pick<ProviderRecord, 'asked' | 'payments'>,
): PaymentFindings {
  const found: PaymentFindings = { lost: [], doubled: [], violations: [] };
  const paid = Map.groupBy(payments, ({ id }) => id);
  for (const row of rows) {
    const ofRow = row.payouts.flatMap((payout) => paid.get(payout) ?? []);
    checkEnding(row, ofRow.length + row.payments, found);
    for (const payment of ofRow)
      if (figuresOf(payment) !== ordered(row)) found.violations.push(notAsOrdered(row, payment));
  }
  checkRequests(rows, asked, found);
  checkOrigins(payments, asked, found);
  checkFigures(rows, payments, found);
  return found;
}

/** A transfer ended once: settled and paid once, or failed and not paid. */
function checkEnding({ id, status, endings }: Booked, times: number, found: PaymentFindings): void {
  if (status !== 'SETTLED' && status !== 'FAILED') found.lost.push(`${id}: ${status}, not ended`);
  else if (endings !== 1) found.violations.push(`${id}: ended ${endings} times`);
  if (status === 'SETTLED' && times === 0) found.lost.push(`${id}: settled, but not paid`);
  if (times > 1) found.doubled.push(`${id}: paid ${times} times`);
  if (status === 'FAILED' && times > 0) found.doubled.push(`${id}: paid and returned`);
}

/** Each transfer is requested under one id, and each request of it, repeats included, says what was ordered. */
function checkRequests(rows: readonly Booked[], asked: readonly Asked[], { violations }: PaymentFindings): void {
  const booked = new Map(rows.map((row) => [row.id, row]));
  for (const [transferId, requests] of Map.groupBy(asked, (request) => request.transferId)) {
    const row = booked.get(transferId);
    const ids = new Set(requests.map(({ id }) => id));
    if (!row) violations.push(`${transferId}: requested of the provider, but not in the books`);
    if (ids.size > 1) violations.push(`${transferId}: requested of the provider under ${ids.size} ids`);
    const other = row && requests.find((request) => figuresOf(request) !== ordered(row));
    if (row && other) violations.push(`${notAsOrdered(row, other)}, requested`);
  }
}

function checkOrigins(payments: readonly Payment[], asked: readonly Asked[], { violations }: PaymentFindings): void {
  const requested = new Set(asked.map(({ id }) => id));
  for (const { id } of payments) if (!requested.has(id)) violations.push(`payout ${id}: paid, but never requested`);
}

/** Regardless of ids, the network paid each amount to each number as often as such a transfer settled. */
function checkFigures(rows: readonly Booked[], payments: readonly Payment[], found: PaymentFindings): void {
  const isPaidByNetwork = ({ status, payments: inside }: Booked) => status === 'SETTLED' && inside === 0;
  const settled = Map.groupBy(rows.filter(isPaidByNetwork), ordered);
  const paid = Map.groupBy(payments, figuresOf);
  for (const figures of new Set([...settled.keys(), ...paid.keys()])) {
    const [due, times] = [settled.get(figures)?.length ?? 0, paid.get(figures)?.length ?? 0];
    if (times > due) found.doubled.push(`${figures}: paid ${times} times for ${due} settled transfers`);
    if (times < due) found.lost.push(`${figures}: paid ${times} times for ${due} settled transfers`);
  }
}

/** What a transfer pays, in the spelling of `figuresOf`. */
export const ordered = (row: Booked): string => `${row.target_amount} ${row.target_currency} to ${row.recipient_phone}`;

/** In minor units, so that 1500, 1500.00 and 1500.0000 are the same. */
export function figuresOf({ amount, currency, msisdn }: Pick<Payment, 'amount' | 'currency' | 'msisdn'>): string {
  const [units = '', decimals = ''] = amount.split('.');
  return `${BigInt(units + decimals.replace(/0+$/, '').padEnd(2, '0'))} ${currency} to +${msisdn}`;
}

const notAsOrdered = (row: Booked, { amount, currency, msisdn }: Pick<Payment, 'amount' | 'currency' | 'msisdn'>) =>
  `${row.id}: ${amount} ${currency} to ${msisdn}, not as ordered`;
