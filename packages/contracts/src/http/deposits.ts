import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { amountInput, DepositCurrency, Id, Money, Timestamp, wholeAmount } from './common.ts';

/** The amount of a deposit or credit. A missing amount is refused like 0. */
export const MovementAmount = wholeAmount(amountInput(reason('amount_not_positive')));

export const AdminDepositRequest = z.object({
  amount: MovementAmount,
  currency: DepositCurrency,
  reason: z
    .string({ error: reason('reason_missing') })
    .check(
      z.trim(),
      z.minLength(1, { error: reason('reason_missing') }),
      z.maxLength(500, { error: reason('reason_too_long', { max: 500 }) }),
    ),
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
    }),
  ),
});
