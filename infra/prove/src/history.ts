export type Payee = 'phone' | 'unknown phone' | 'merchant';

/** One order of one merchant: what was asked, and every answer that came. */
export interface Order {
  clientTransactionId: string;
  userId: string;
  payee: Payee;
  /** Minor units of KES. */
  sourceAmount: bigint;
  body: Record<string, unknown>;
  /** Ids of transfers that answers with 201 or 200 named; more than one different is a violation. */
  acknowledged: string[];
  /** Clear refusals, by their code: the order is then not a transfer, or a failed one. */
  refused: string[];
  /** Requests without a clear answer: a broken connection, a 503. */
  unclear: number;
  /** Asked again after the faults, because no answer had ever come. */
  resolvedLate: boolean;
}

/** What was asked of the product, and what it answered. */
export interface History {
  orders: Order[];
  requests: number;
  answers: Map<string, number>;
  /** What refusals and failures said, each once. */
  errorBodies: Set<string>;
  /** What no client should ever see. */
  surprises: string[];
}

export function createHistory(): History {
  return { orders: [], requests: 0, answers: new Map(), errorBodies: new Set(), surprises: [] };
}

export const isAcknowledged = (order: Order): boolean => order.acknowledged.length > 0;
export const isRefused = (order: Order): boolean => order.refused.length > 0;
/** Whether somebody still waits to be told what became of it. */
export const isUnknown = (order: Order): boolean => !isAcknowledged(order) && !isRefused(order);
