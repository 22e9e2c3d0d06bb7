import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Id, Money, Timestamp } from './common.ts';
import { DAY_MS, Day } from './days.ts';
import { TransactionListItem } from './transfers.ts';

const { sourceCurrency: Currency } = TransactionListItem.shape;

const MOST_MS = 366 * DAY_MS;

/** The query of `GET /api/statement` and `/api/statement.csv`: days, both included. */
export const StatementQuery = z.object({ from: Day, to: Day }).check(
  z.refine(({ from, to }) => from <= to, { error: reason('period_reversed'), path: ['from'] }),
  z.refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_MS, {
    error: reason('period_too_long', { months: 12 }),
    path: ['from'],
  }),
);
export type StatementQuery = z.infer<typeof StatementQuery>;

/** `opening + moneyIn - moneyOut - fees = closing`. */
export const StatementTotals = z.object({
  opening: Money,
  moneyIn: Money,
  moneyOut: Money,
  fees: Money,
  closing: Money,
});

/** `reserved` is currently held for open transfers, and still part of the balance. */
export const StatementWallet = z.object({ currency: Currency, ...StatementTotals.shape, reserved: Money });
export type StatementWallet = z.infer<typeof StatementWallet>;

/** `GET /api/statement/this-month`: money in and out since the month began in East Africa, without the movements. */
export const MonthTotals = z.object({
  from: Day,
  to: Day,
  wallets: z.array(z.pick(StatementWallet, { currency: true, moneyIn: true, moneyOut: true, fees: true })),
});
export type MonthTotals = z.infer<typeof MonthTotals>;

/** One entry of one wallet, and the balance after it. */
export const StatementMovement = z.object({
  transactionId: Id,
  at: Timestamp,
  kind: z.enum(['deposit', 'sent', 'received']),
  /** The recipient; null for incoming money. */
  recipientPhone: z.nullable(z.string()),
  currency: Currency,
  moneyIn: Money,
  /** Without the fee. */
  moneyOut: Money,
  fee: Money,
  balance: Money,
});
export type StatementMovement = z.infer<typeof StatementMovement>;

/** Movements are oldest first, at most 500; if `hasMore`, the CSV has the rest. */
export const Statement = z.object({
  from: Day,
  to: Day,
  madeAt: Timestamp,
  wallets: z.array(StatementWallet),
  movements: z.array(StatementMovement),
  hasMore: z.boolean(),
});
export type Statement = z.infer<typeof Statement>;
