import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Direction, Id, Money, Timestamp } from './common.ts';
import { Receipt, TransferStatus } from './transfers.ts';

const { type, source_currency: Currency } = Receipt.shape.transaction.shape;

/** The code behind a receipt's QR code: `/verify/{code}`. */
export const ReceiptCode = z.string().check(z.regex(/^[\w-]{108}$/, { error: reason('receipt_code_invalid') }));

/** `GET /api/transactions/{id}/verification` */
export const ReceiptVerification = z.object({ code: ReceiptCode });

/** `GET /api/verify/{code}`, public: the receipt with its current status, and the last digits of the phone number. */
export const ReceiptCheck = z.discriminatedUnion('genuine', [
  z.object({ genuine: z.literal(false), checkedAt: Timestamp }),
  z.object({
    genuine: z.literal(true),
    checkedAt: Timestamp,
    receipt: z.object({
      id: Id,
      type,
      status: TransferStatus,
      createdAt: Timestamp,
      sourceAmount: Money,
      sourceCurrency: Currency,
      targetAmount: Money,
      targetCurrency: Currency,
      direction: z.nullable(Direction),
      /** "+255••••••700"; null if there is no number. */
      recipientPhone: z.nullable(z.string()),
    }),
  }),
]);
export type ReceiptCheck = z.infer<typeof ReceiptCheck>;
export type VerifiedReceipt = Extract<ReceiptCheck, { genuine: true }>['receipt'];
