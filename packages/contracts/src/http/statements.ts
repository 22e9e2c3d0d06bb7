import * as z from 'zod/mini';
import { Id, Money, Timestamp } from './common.ts';
import { Day } from './days.ts';
import { TransactionListItem } from './transfers.ts';

const { sourceCurrency: Currency } = TransactionListItem.shape;

const MOST_MS = 366 * 86_400_000;

/** The query of `GET /api/statement` and `/api/statement.csv`: days, both included. */
export const StatementQuery = z.object({ from: Day, to: Day }).check(
  z.refine(({ from, to }) => from <= to, { error: 'The first day must not be after the last', path: ['from'] }),
  z.refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_MS, {
    error: 'A statement covers 12 months at most',
    path: ['from'],
  }),
);
export type StatementQuery = z.infer<typeof StatementQuery>;

/**
 * `opening + moneyIn - moneyOut - fees = closing`; `reserved` is held now for transfers under way, and
 * still in the balance.
 */
export const StatementWallet = z.object({
  currency: Currency,
  opening: Money,
  moneyIn: Money,
  moneyOut: Money,
  fees: Money,
  closing: Money,
  reserved: Money,
});
export type StatementWallet = z.infer<typeof StatementWallet>;

/** One booking on one wallet, and its balance after it. */
export const StatementMovement = z.object({
  transactionId: Id,
  at: Timestamp,
  kind: z.enum(['deposit', 'sent', 'received']),
  /** Whom it was sent to; null where money came in. */
  recipientPhone: z.nullable(z.string()),
  currency: Currency,
  moneyIn: Money,
  /** Without the fee. */
  moneyOut: Money,
  fee: Money,
  balance: Money,
});
export type StatementMovement = z.infer<typeof StatementMovement>;

/** Movements are oldest first, 500 at most; `hasMore` says that the CSV has more. */
export const Statement = z.object({
  from: Day,
  to: Day,
  madeAt: Timestamp,
  wallets: z.array(StatementWallet),
  movements: z.array(StatementMovement),
  hasMore: z.boolean(),
});
export type Statement = z.infer<typeof Statement>;
