import type { Direction, WalletCurrency } from '@vuka/money/corridors';
import type { Prices } from './price.ts';

/** `own phone` and `bank`: a withdrawal to an account of the merchant. */
export type Payee = 'phone' | 'unknown phone' | 'merchant' | 'own phone' | 'bank';

/** One order of one merchant: the request, and every answer. */
export interface Order {
  clientTransactionId: string;
  userId: string;
  payee: Payee;
  /** The number that gets the money; null for a withdrawal to a bank. */
  number: string | null;
  /** The bank account that gets the money, of a withdrawal to a bank. */
  bankAccount?: string;
  source: WalletCurrency;
  /** Undefined for a withdrawal. */
  direction: Direction | undefined;
  /** Minor units of the source currency. */
  sourceAmount: bigint;
  /** What the merchant was shown, minor units; the fee only if they confirmed it too. */
  targetAmount: bigint;
  fee: bigint | undefined;
  quote: HeldQuote | undefined;
  /** The path of the request. */
  path: string;
  body: Record<string, unknown>;
  /** When its first request was sent, and when the first clear answer had arrived; ms. */
  sentMs: number;
  clearMs: number;
  /** Ids of transfers in answers with 201 or 200; two different ids are a violation. */
  acknowledged: string[];
  /** The codes of clear refusals. After one, the books have no transfer for the order, or a failed one. */
  refused: string[];
  /** Refused because the price had changed: the books then have no transfer for the order. */
  isRepriced: boolean;
  /** When the last request that was refused for its price was sent, ms. */
  repricedMs?: number;
  /** Requests without a clear answer: a broken connection, a 503. */
  unclear: number;
  /** Repeated after the faults, because no clear answer had arrived. */
  resolvedLate: boolean;
}

/** A price that the product promised to a merchant. Amounts in minor units. */
export interface HeldQuote {
  quoteId: string;
  direction: Direction;
  sourceAmount: bigint;
  targetAmount: bigint;
  fee: bigint;
  /** When it was asked for, and when it had arrived; ms. */
  askedMs: number;
  receivedMs: number;
  /** When the proof's statement that makes the quote expire early began and ended; ms. */
  aging?: { fromMs: number; toMs: number };
}

/** Prices that administrators have set, and when: from the first request until the clear answer to it; ms. */
export interface PriceChange {
  prices: Prices;
  fromMs: number;
  toMs: number;
}

export type DecisionKind = 'approve' | 'refuse' | 'complete' | 'fail';

/** An administrator's decision on a withdrawal, and the answer. */
export interface Decision {
  withdrawalId: string;
  kind: DecisionKind;
  by: 'admin' | 'approver';
  /** ms */
  fromMs: number;
  /** Undefined if the answer was lost, or was not a clear one. */
  status: number | undefined;
}

/** A payment that an administrator has made at the bank; the bank's statement shows it whatever the product forgets. */
export interface BankPayment {
  withdrawalId: string;
  reference: string;
  /** Minor units, currency and account, as the product showed them to the administrator. */
  amount: bigint;
  currency: string;
  account: string;
  by: Decision['by'];
  /** ms */
  atMs: number;
}

/** A credit to a merchant, or a deposit to the administrator's own account, under one key. */
export interface Movement {
  userId: string;
  currency: WalletCurrency;
  /** Minor units. */
  amount: bigint;
  /** Whether the answers say that the money moved. */
  isMoved: boolean;
}

/** An order that the product must refuse, whatever happens. */
export interface Forbidden {
  clientTransactionId: string;
  /** The reason, such as "while its sender was blocked". */
  why: string;
}

/** The requests to the product, and its answers. */
export interface History {
  orders: Order[];
  quotes: HeldQuote[];
  /** Oldest first; the first are those in force at the start. */
  prices: PriceChange[];
  /** The amounts above which withdrawals to phones need approval, minor units. */
  approvalLimits: Record<WalletCurrency, bigint>;
  decisions: Decision[];
  bankPayments: BankPayment[];
  /** Decisions on exceptions that the product accepted. */
  decidedExceptions: number;
  /** Reconciliations that the product began during the faults. */
  reconciliations: number;
  /** The merchants whom an administrator has begun to block at some time. */
  blocked: Set<string>;
  /** Undecided withdrawals on the page that an administrator last read; 0 if the product did not answer. */
  undecided: number;
  movements: Movement[];
  forbidden: Forbidden[];
  requests: number;
  /** Calls that read a transfer or balances during the faults, and how many of them were answered. */
  reads: number;
  answeredReads: number;
  answers: Map<string, number>;
  /** The bodies of refusals and failures, each once. */
  errorBodies: Set<string>;
  /** Answers that no client should ever see. */
  surprises: string[];
  /** How long clients repeat a request without a clear answer, ms. */
  patienceMs: number;
}

export function createHistory(
  initial: Prices,
  { approvalLimits, patienceMs }: Pick<History, 'approvalLimits' | 'patienceMs'>,
): History {
  return {
    orders: [],
    quotes: [],
    prices: [{ prices: initial, fromMs: 0, toMs: 0 }],
    approvalLimits,
    decisions: [],
    bankPayments: [],
    decidedExceptions: 0,
    reconciliations: 0,
    blocked: new Set(),
    undecided: 0,
    movements: [],
    forbidden: [],
    requests: 0,
    reads: 0,
    answeredReads: 0,
    answers: new Map(),
    errorBodies: new Set(),
    surprises: [],
    patienceMs,
  };
}

export const isAcknowledged = (order: Order): boolean => order.acknowledged.length > 0;
export const isRefused = (order: Order): boolean => order.refused.length > 0;
/** Whether the sender still has no clear answer. */
export const isUnknown = (order: Order): boolean => !isAcknowledged(order) && !isRefused(order) && !order.isRepriced;

/** The prices of the last change that was confirmed. */
export const pricesNow = ({ prices }: History): Prices =>
  prices.at(-1)?.prices ?? { buyRate: '1', markup: '0', fees: [] };
