import * as z from 'zod/mini';
import { AmountInput, Direction, Id, WalletCurrency } from './common.ts';
import { FeeInput } from './decimal-input.ts';
import { fitDirection } from './direction-amounts.ts';
import { RecipientPhone } from './recipients.ts';

/** The PIN with which a person confirms a payment. */
export const PaymentPin = z
  .string({ error: 'Please enter your 4-digit PIN' })
  .check(
    z.minLength(1, { error: 'Please enter your 4-digit PIN', abort: true }),
    z.regex(/^\d{4}$/, { error: 'PIN must be exactly 4 numeric digits' }),
  );

/** The id under which a payment is made once, however often it is sent. */
export const ClientTransactionId = z
  .string({ error: 'clientTransactionId is required' })
  .check(z.regex(/^[\w.:-]{1,100}$/, { error: 'clientTransactionId must be 1 to 100 letters, digits or ._:-' }));

/**
 * The body of `POST /api/transactions/create`. The server decides the price; the amounts are only compared. `fee` is
 * the fee that the person was shown; if it is given and differs from the current fee, no money is taken and the
 * answer is rate_changed.
 */
export const CreateTransfer = fitDirection(
  z.object({
    direction: Direction,
    sourceAmount: AmountInput,
    sourceCurrency: z.optional(WalletCurrency),
    targetAmount: AmountInput,
    targetCurrency: z.optional(WalletCurrency),
    recipientPhone: RecipientPhone,
    pin: PaymentPin,
    clientTransactionId: ClientTransactionId,
    quoteId: z.optional(Id),
    fee: z.optional(FeeInput),
    metadata: z.optional(z.looseObject({})),
  }),
);
export type CreateTransfer = z.infer<typeof CreateTransfer>;
