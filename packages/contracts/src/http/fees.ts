import type { Currency } from '@vuka/money/corridors';
import { fitsCurrency } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { allowed, reason } from '../texts/reason.ts';
import { Money, Pin, WalletCurrency } from './common.ts';
import { amountFromZero, decimalInput } from './decimal-input.ts';

const TYPES = ['transfer', 'withdrawal'] as const;

export const FeeType = z.enum(TYPES, { error: reason('fee_type_unknown', allowed(TYPES)) });
export type FeeType = z.infer<typeof FeeType>;

const percentageInvalid = reason('percentage_fee_invalid');

const BAND = {
  transactionType: FeeType,
  currency: WalletCurrency,
  minAmount: amountFromZero(reason('fee_minimum_invalid')),
  maxAmount: z.optional(z.nullable(amountFromZero(reason('fee_maximum_invalid')))),
  fixedFee: amountFromZero(reason('fixed_fee_invalid')),
  percentageFee: decimalInput(/^\d{1,3}(\.\d{1,4})?$/, percentageInvalid).check(
    z.refine((percentage) => Number(percentage) <= 100, { error: percentageInvalid }),
  ),
};
const endsAfterStart = () =>
  z.refine<{ minAmount: string; maxAmount?: string | null | undefined }>(
    ({ minAmount, maxAmount }) => !maxAmount || Number(maxAmount) > Number(minAmount),
    { error: reason('fee_band_reversed'), path: ['maxAmount'] },
  );
type BandAmount = 'minAmount' | 'maxAmount' | 'fixedFee';
/** Refuses decimals that the currency does not have. */
const fits = (field: BandAmount) =>
  z.refine<{ currency: Currency } & { [Field in BandAmount]?: string | null | undefined }>(
    (band) => fitsCurrency(band[field] ?? '0', band.currency),
    { error: reason('amount_not_whole'), path: [field] },
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

export const FeeAddress = z.object({ id: z.string().check(z.regex(/^\d{1,18}$/, { error: reason('fee_not_found') })) });
