import * as z from 'zod/mini';
import { amountInput, DepositCurrency, Id, Money, Timestamp, wholeAmount } from './common.ts';

/** The amount of a deposit or credit. A missing amount gets the same message as 0. */
export const MovementAmount = wholeAmount(amountInput('Amount must be greater than 0'));

export const AdminDepositRequest = z.object({
  amount: MovementAmount,
  currency: DepositCurrency,
  reason: z
    .string({ error: 'Reason is required' })
    .check(
      z.trim(),
      z.minLength(1, { error: 'Reason is required' }),
      z.maxLength(500, { error: 'Reason must be less than 500 characters' }),
    ),
  pin: z
    .string({ error: 'PIN must be at least 4 digits' })
    .check(
      z.minLength(4, { error: 'PIN must be at least 4 digits' }),
      z.maxLength(6, { error: 'PIN must be at most 6 digits' }),
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
