import * as z from 'zod/mini';
import { Money, Timestamp, WalletCurrency } from '../http/common.ts';
import { RateProposalAnswer } from '../http/proposals.ts';

const Decimal = z.string().check(z.regex(/^\d{1,18}(\.\d{1,24})?$/));

/** The fee of a transaction by type, currency and band: a fixed part and a percentage of the amount. */
export const FeeBand = z.object({
  transactionType: z.string(),
  currency: WalletCurrency,
  minAmount: Money,
  maxAmount: z.nullable(Money),
  fixedFee: Money,
  percentageFee: Decimal,
});
export type FeeBand = z.infer<typeof FeeBand>;

/** `GET /internal/fees-in-force` */
export const FeesInForce = z.object({ fees: z.array(FeeBand) });

/**
 * Everything that a price depends on. `version` grows with every change; rates are target units per source unit,
 * exact.
 */
export const Pricing = z.object({
  version: z.int(),
  buyRate: Decimal,
  markup: Decimal,
  kesToTzs: Decimal,
  tzsToKes: Decimal,
  updatedAt: Timestamp,
  fees: z.array(FeeBand),
});
export type Pricing = z.infer<typeof Pricing>;

/** `POST /internal/rates`: in force at once, or waiting for another administrator. */
export const RatesTaken = z.union([Pricing, RateProposalAnswer]);
