import type { Currency } from '@vuka/money/corridors';
import { fitsCurrency } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { Money, Pin, WalletCurrency, WHOLE_AMOUNT } from './common.ts';
import { amountFromZero, decimalInput } from './decimal-input.ts';

export const FeeType = z.enum(['transfer', 'withdrawal'], { error: 'Transaction type must be transfer or withdrawal' });
export type FeeType = z.infer<typeof FeeType>;

const MAXIMUM = 'Maximum amount must be empty, or a number with at most 2 decimals';
const PERCENTAGE = 'Percentage fee must be between 0 and 100, with at most 4 decimals';

const BAND = {
  transactionType: FeeType,
  currency: WalletCurrency,
  minAmount: amountFromZero('Minimum amount must be a number with at most 2 decimals'),
  maxAmount: z.optional(z.nullable(amountFromZero(MAXIMUM))),
  fixedFee: amountFromZero('Fixed fee must be a number with at most 2 decimals'),
  percentageFee: decimalInput(/^\d{1,3}(\.\d{1,4})?$/, PERCENTAGE).check(
    z.refine((percentage) => Number(percentage) <= 100, { error: PERCENTAGE }),
  ),
};
const endsAfterStart = () =>
  z.refine<{ minAmount: string; maxAmount?: string | null | undefined }>(
    ({ minAmount, maxAmount }) => !maxAmount || Number(maxAmount) > Number(minAmount),
    { error: 'Maximum amount must be greater than the minimum amount', path: ['maxAmount'] },
  );
type BandAmount = 'minAmount' | 'maxAmount' | 'fixedFee';
/** Refuses decimals that the currency does not have. */
const fits = (field: BandAmount) =>
  z.refine<{ currency: Currency } & { [Field in BandAmount]?: string | null | undefined }>(
    (band) => fitsCurrency(band[field] ?? '0', band.currency),
    { error: WHOLE_AMOUNT, path: [field] },
  );
const bandChecks = () => [endsAfterStart(), fits('minAmount'), fits('maxAmount'), fits('fixedFee')];

/**
 * The cost of a transaction from `minAmount` up to, but not including, `maxAmount`, on top of its amount. Without
 * `maxAmount` the band has no upper limit. Bands of one type and currency may not overlap.
 */
export const NewFee = z.object(BAND).check(...bandChecks());
export type NewFee = z.infer<typeof NewFee>;

/** `POST /api/admin/fees` */
export const AddFee = z.object({ ...BAND, pin: Pin }).check(...bandChecks());

export const Fee = z.object({
  id: z.string(),
  transactionType: FeeType,
  currency: WalletCurrency,
  minAmount: Money,
  maxAmount: z.nullable(Money),
  fixedFee: Money,
  percentageFee: z.string(),
  updatedByName: z.nullable(z.string()),
});
export type Fee = z.infer<typeof Fee>;

/** `GET /api/admin/fees`: by type, currency and amount. */
export const Fees = z.object({ fees: z.array(Fee) });

export const FeeAddress = z.object({ id: z.string().check(z.regex(/^\d{1,18}$/, { error: 'Fee not found' })) });
