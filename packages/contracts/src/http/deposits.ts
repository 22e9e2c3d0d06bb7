import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { amountInput, DepositCurrency, Id, Money, Timestamp } from './common.ts';
import { ActionReason } from './decisions.ts';

/** The amount of a deposit or credit. A missing amount is refused like 0. */
export const MovementAmount = amountInput(reason('amount_not_positive'), { isWhole: true });

export const AdminDepositRequest = z.object({
  amount: MovementAmount,
  currency: DepositCurrency,
  reason: ActionReason,
  pin: z
    .string({ error: reason('deposit_pin_too_short', { min: 4 }) })
    .check(
      z.minLength(4, { error: reason('deposit_pin_too_short', { min: 4 }) }),
      z.maxLength(6, { error: reason('deposit_pin_too_long', { max: 6 }) }),
    ),
});

export const AdminDepositResult = z.object({
  amount: Money,
  currency: DepositCurrency,
  reference: z.string(),
  transactionId: Id,
});

export const AdminDeposits = z.object({
  deposits: z.array(
    z.object({
      id: Id,
      created_at: Timestamp,
      amount: Money,
      currency: DepositCurrency,
      reason: z.string(),
      reference: z.string(),
      /** The movement of the money; null until the ledger has it. */
      transactionId: z._default(z.nullable(Id), null),
    }),
  ),
});
