import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Pin, WalletCurrency, WholeAmountInput } from './common.ts';
import { Proposal } from './proposals.ts';
import { TIERS, Tier } from './tiers.ts';

/** The limits of one tier in one currency. Money out counts at its source amount, without the fee. */
export const LIMIT_KINDS = ['perTransaction', 'perDay', 'perMonth', 'perDayIn', 'perMonthIn'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

const limits = <Value extends z.ZodMiniType>(value: Value) => ({
  perTransaction: value,
  perDay: value,
  perMonth: value,
  /** What merchants here may receive from others. */
  perDayIn: value,
  perMonthIn: value,
});

/** The limits of one tier in one currency, as an administrator sets them: whole units. */
export const TierLimits = z.object({ tier: Tier, currency: WalletCurrency, ...limits(z.string()) });
export type TierLimits = z.infer<typeof TierLimits>;

export const SetLimits = z
  .object({
    tier: Tier,
    currency: WalletCurrency,
    ...limits(WholeAmountInput),
    /** The limits that these replace. Refused with changed_meanwhile if others are in force. */
    replaces: z.optional(z.object(limits(WholeAmountInput))),
    /** Asked of the only administrator when a limit is raised. */
    pin: z.optional(Pin),
  })
  .check(
    z.refine((set) => isAtLeast(set.perDay, set.perTransaction), { path: ['perDay'], error: reason('limit_order') }),
    z.refine((set) => isAtLeast(set.perMonth, set.perDay) && isAtLeast(set.perMonthIn, set.perDayIn), {
      path: ['perMonth'],
      error: reason('limit_order'),
    }),
  );
export type SetLimits = z.infer<typeof SetLimits>;

const WHOLE = /^(\d+)(?:\.0{1,2})?$/;

/** True if an amount is not a whole number: that field has its own error. */
function isAtLeast(longer: string, shorter: string): boolean {
  const [more, less] = [WHOLE.exec(longer)?.[1], WHOLE.exec(shorter)?.[1]];
  return more === undefined || less === undefined || BigInt(more) >= BigInt(less);
}

/** Higher limits that wait for another administrator. */
export const TierLimitsProposal = z.extend(Proposal, { before: TierLimits, after: TierLimits });
export type TierLimitsProposal = z.infer<typeof TierLimitsProposal>;
export const TierLimitsProposals = z.object({
  proposals: z.array(TierLimitsProposal),
  nextCursor: z.nullable(z.string()),
});
export const TierLimitsProposalAnswer = z.object({ proposal: TierLimitsProposal });

/** `GET /api/admin/limits`, and the answer to a change; with 202, also the limits that wait for another administrator. */
export const AllLimits = z.object({ limits: z.array(TierLimits), proposal: z.optional(TierLimitsProposal) });
export type AllLimits = z.infer<typeof AllLimits>;

/** Limits of every tier and currency, in display order. */
export const EVERY_LIMIT = TIERS.flatMap((tier) => WALLET_CURRENCIES.map((currency) => ({ tier, currency })));
