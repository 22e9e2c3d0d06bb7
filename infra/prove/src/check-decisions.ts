import type { WalletCurrency } from '@vuka/money/corridors';
import type pg from 'pg';
import type { BankPayment, Decision, DecisionKind, Order } from './history.ts';
import type { Asked } from './provider-record.ts';

/** A withdrawal as recorded in the books. */
export interface WithdrawalRow {
  id: string;
  clientTransactionId: string;
  /** The status of its transfer. */
  status: string;
  /** What merchants and administrators are shown; null if it is not in the table of withdrawals. */
  shown: string | null;
  requiresApproval: boolean;
}

const WITHDRAWALS = `
  select t.id, t.client_transaction_id as "clientTransactionId", t.status, w.status as shown,
    w.requires_approval as "requiresApproval"
  from transactions t left join withdrawals w on w.transaction_id = t.id where t.transaction_type = 'withdrawal'`;

export async function readWithdrawals(books: pg.Client): Promise<WithdrawalRow[]> {
  return (await books.query<WithdrawalRow>(WITHDRAWALS)).rows;
}

interface Facts {
  orders: readonly Order[];
  decisions: readonly Decision[];
  bankPayments: readonly BankPayment[];
  /** The amounts above which withdrawals need approval, minor units. */
  limits: Record<WalletCurrency, bigint>;
  /** Requests that reached the provider. */
  asked: readonly Asked[];
}

/**
 * Every withdrawal above the limit or to a bank was approved before it was paid, no refused withdrawal was paid, the
 * provider did not also pay what was paid by hand, only one decision counted, and the bank paid each at most once, with
 * the ordered amount to the merchant's account, and none whose money was returned. Returns a line per contradiction.
 */
export function checkDecisions(rows: readonly WithdrawalRow[], facts: Facts): string[] {
  const { orders, decisions, bankPayments, limits, asked } = facts;
  const ordered = new Map(orders.map((order) => [order.clientTransactionId, order]));
  const decided = Map.groupBy(decisions, ({ withdrawalId }) => withdrawalId);
  const paid = Map.groupBy(bankPayments, ({ withdrawalId }) => withdrawalId);
  const requested = Map.groupBy(asked, ({ transferId }) => transferId);
  return rows.flatMap((row) => {
    const order = ordered.get(row.clientTransactionId);
    if (!order) return []; // never ordered, which is found elsewhere
    const firstRequest = requested.get(row.id)?.[0];
    const paidByBank = paid.get(row.id) ?? [];
    const context = { order, made: decided.get(row.id) ?? [], paidByBank, limit: limits[order.source], firstRequest };
    return contradictionsOf(row, context).map((what) => `${row.id}: ${row.status}, but ${what}`);
  });
}

interface Context {
  order: Order;
  made: readonly Decision[];
  paidByBank: readonly BankPayment[];
  limit: bigint;
  firstRequest: Asked | undefined;
}

function contradictionsOf(row: WithdrawalRow, { order, made, paidByBank, limit, firstRequest }: Context): string[] {
  const isToBank = order.payee === 'bank';
  const needsApproval = isToBank || order.sourceAmount > limit;
  const isPaid = row.status === 'SETTLED';
  const possible = (kind: DecisionKind) => made.find((each) => each.kind === kind && (each.status ?? 200) === 200);
  const approval = possible('approve');
  const taken = ([first, second]: readonly [DecisionKind, DecisionKind]) =>
    isTaken(made, first) && isTaken(made, second);
  const isUnapproved = isPaid && needsApproval && !approval;
  // An unapproved payment is found as such, so its request is not a finding of its own.
  const isAskedTooEarly = needsApproval && !isUnapproved && isAskedBefore(firstRequest, approval);
  const claims: [boolean, string][] = [
    [row.requiresApproval !== needsApproval, needsApproval ? 'it did not wait for approval' : 'it waited for approval'],
    [isUnapproved, 'nobody approved it'],
    [isAskedTooEarly, 'the provider was asked before it was approved'],
    [row.shown !== SHOWN[row.status], `its withdrawal is ${row.shown}`],
    [isToBank && firstRequest !== undefined, 'the provider was asked to pay it, besides the bank'],
    [isPaid && isToBank && !possible('complete'), 'nobody paid it by hand'],
    [paidByBank.length > 1, `the bank paid it ${paidByBank.length} times`],
    [!isPaid && paidByBank.length > 0, 'the bank paid it'],
    [!paidByBank.every((payment) => isAsOrdered(payment, order)), 'the bank paid something else than was ordered'],
    [isPaid && (isTaken(made, 'refuse') || isTaken(made, 'fail')), 'it was refused'],
    [!isPaid && isTaken(made, 'complete'), 'it was paid by hand'],
    [taken(['approve', 'refuse']) || taken(['complete', 'fail']), 'it was decided both ways'],
    [made.some((decision) => isTakenByBoth(made, decision)), 'both administrators decided it'],
  ];
  return claims.filter(([isSo]) => isSo).map(([, what]) => what);
}

/** By the status of the transfer; every transfer has ended when this is checked. */
const SHOWN: Record<string, string> = { SETTLED: 'completed', FAILED: 'failed' };

const isAsOrdered = ({ amount, currency, account }: BankPayment, order: Order): boolean =>
  amount === order.sourceAmount && currency === order.source && account === order.bankAccount;

const isTaken = (made: readonly Decision[], kind: DecisionKind): boolean =>
  made.some((decision) => decision.kind === kind && decision.status === 200);

const isTakenByBoth = (made: readonly Decision[], { kind, by, status }: Decision): boolean =>
  status === 200 && made.some((other) => other.kind === kind && other.status === 200 && other.by !== by);

const isAskedBefore = (request: Asked | undefined, approval: Decision | undefined): boolean =>
  request !== undefined && (approval === undefined || request.atMs < approval.fromMs);
