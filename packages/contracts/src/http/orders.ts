import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { AmountInput, Direction, Id, WalletCurrency } from './common.ts';
import { FeeInput } from './decimal-input.ts';
import { fitDirection } from './direction-amounts.ts';
import { RecipientPhone } from './recipients.ts';

/** The PIN with which a person confirms a payment. */
export const PaymentPin = z
  .string({ error: reason('pin_missing') })
  .check(
    z.minLength(1, { error: reason('pin_missing'), abort: true }),
    z.regex(/^\d{4}$/, { error: reason('pin_not_exact') }),
  );

/** The id under which a payment is made once, however often it is sent. */
export const ClientTransactionId = z
  .string({ error: reason('client_id_missing') })
  .check(z.regex(/^[\w.:-]{1,100}$/, { error: reason('client_id_invalid') }));

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
