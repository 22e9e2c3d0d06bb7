/** `own phone`: a withdrawal to the merchant's linked account. */
export type Payee = 'phone' | 'unknown phone' | 'merchant' | 'own phone';

/** One order of one merchant: the request, and every answer. */
export interface Order {
  clientTransactionId: string;
  userId: string;
  payee: Payee;
  /** Minor units of the source currency. */
  sourceAmount: bigint;
  /** The call that sends it. */
  path: string;
  body: Record<string, unknown>;
  /** Ids of transfers in answers with 201 or 200; two different ids are a violation. */
  acknowledged: string[];
  /** Clear refusals, by code: the order is then not a transfer, or a failed one. */
  refused: string[];
  /** Requests without a clear answer: a broken connection, a 503. */
  unclear: number;
  /** Repeated after the faults, because no clear answer had arrived. */
  resolvedLate: boolean;
}

/** A credit that an administrator made to a merchant, repeated under its key until an answer was clear. */
export interface Credit {
  key: string;
  userId: string;
  merchantId: string;
  /** Minor units of the source currency. */
  amount: bigint;
  isDone: boolean;
}

/** The requests to the product, and its answers. */
export interface History {
  orders: Order[];
  credits: Credit[];
  requests: number;
  /** Calls that read a transfer or balances during the faults. */
  reads: number;
  answers: Map<string, number>;
  /** The bodies of refusals and failures, each once. */
  errorBodies: Set<string>;
  /** Answers that no client should ever see. */
  surprises: string[];
  /** How long clients repeat a request without a clear answer, ms. */
  patienceMs: number;
}

export function createHistory(patienceMs: number): History {
  const counted = { requests: 0, reads: 0, answers: new Map(), errorBodies: new Set<string>() };
  return { orders: [], credits: [], surprises: [], patienceMs, ...counted };
}

export const isAcknowledged = (order: Order): boolean => order.acknowledged.length > 0;
export const isRefused = (order: Order): boolean => order.refused.length > 0;
/** Whether the sender still has no clear answer. */
export const isUnknown = (order: Order): boolean => !isAcknowledged(order) && !isRefused(order);
