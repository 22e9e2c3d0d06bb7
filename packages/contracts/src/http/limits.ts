import * as z from 'zod/mini';
import { Money, Timestamp, WalletCurrency } from './common.ts';
import { Tier } from './tiers.ts';

/** A limit of a period, and how much of it is used; `endsAt` is when the count begins again. */
const Period = z.object({ limit: Money, used: Money, left: Money, endsAt: Timestamp });

/** `GET /api/limits`: the caller's own. */
export const OwnLimits = z.object({
  tier: Tier,
  limits: z.array(
    z.object({
      currency: WalletCurrency,
      perTransaction: Money,
      day: Period,
      month: Period,
      dayIn: Period,
      monthIn: Period,
    }),
  ),
});
export type OwnLimits = z.infer<typeof OwnLimits>;

/** `GET /api/admin/merchants/{id}/limits`. */
export const MerchantLimits = z.extend(OwnLimits, { isBusiness: z.boolean() });
