import type { MerchantLimits, OwnLimits } from '@vuka/contracts/http/limits';
import {
  type AllLimits,
  LIMIT_KINDS,
  SetLimits,
  type TierLimits,
  type TierLimitsProposal,
} from '@vuka/contracts/http/tier-limits';
import { TIERS } from '@vuka/contracts/http/tiers';
import { reason } from '@vuka/contracts/texts/reason';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { errorAnswer } from './error-answer.ts';
import { ownProposal, type ProposalWorld, tierLimitProposal } from './proposal-fixtures.ts';

export interface LimitWorld {
  ownLimits: OwnLimits;
  tierLimits: TierLimits[];
}

const period = (limit: number, used: number, endsAt: string) => ({
  limit: `${limit}.00`,
  used: `${used}.00`,
  left: `${limit - used}.00`,
  endsAt,
});

/** The limits of a verified merchant who has sent half of the daily limit in Kenyan shillings. */
export const ownLimits: OwnLimits = {
  tier: 'verified',
  limits: WALLET_CURRENCIES.map((currency, index) => ({
    currency,
    perTransaction: index === 0 ? '250000.00' : '5000000.00',
    day: period(index === 0 ? 500_000 : 10_000_000, index === 0 ? 250_000 : 0, '2026-01-12T21:00:00.000Z'),
    month: period(index === 0 ? 10_000_000 : 200_000_000, index === 0 ? 3_400_000 : 0, '2026-01-31T21:00:00.000Z'),
    dayIn: period(index === 0 ? 1_000_000 : 20_000_000, 0, '2026-01-12T21:00:00.000Z'),
    monthIn: period(index === 0 ? 20_000_000 : 400_000_000, 0, '2026-01-31T21:00:00.000Z'),
  })),
};

export const tierLimits: TierLimits[] = TIERS.flatMap((tier, level) =>
  WALLET_CURRENCIES.map((currency, index) => {
    const unit = (level + 1) * (index === 0 ? 125_000 : 2_500_000);
    const [day, month] = [String(unit * 2), String(unit * 20)];
    return {
      tier,
      currency,
      perTransaction: String(unit),
      perDay: day,
      perMonth: month,
      perDayIn: day,
      perMonthIn: month,
    };
  }),
);

/** A user's own limits, those of each tier, and those of one merchant. */
export function limitHandlers(world: LimitWorld & ProposalWorld) {
  let isBusiness = false;
  return [
    http.get('*/api/limits', () => HttpResponse.json<OwnLimits>(world.ownLimits)),
    http.get('*/api/admin/limits', () => HttpResponse.json<AllLimits>({ limits: world.tierLimits })),
    http.post('*/api/admin/limits', async ({ request }) => {
      const { pin: _, replaces, ...after } = z.parse(SetLimits, await request.json());
      const isOf = (each: TierLimits) => each.tier === after.tier && each.currency === after.currency;
      const before = world.tierLimits.find(isOf) ?? after;
      if (replaces && LIMIT_KINDS.some((kind) => replaces[kind] !== before[kind])) {
        return errorAnswer('changed_meanwhile', reason('changed_meanwhile'));
      }
      const isRaised = BigInt(after.perDay) > BigInt(before.perDay);
      if (!isRaised) world.tierLimits = world.tierLimits.map((each) => (isOf(each) ? after : each));
      const limits = { limits: world.tierLimits };
      if (!isRaised) return HttpResponse.json<AllLimits>(limits);
      const proposal: TierLimitsProposal = { ...tierLimitProposal, ...ownProposal(7412), before, after };
      world.tierLimitProposals = [proposal];
      return HttpResponse.json<AllLimits>({ ...limits, proposal }, { status: 202 });
    }),
    http.get('*/api/admin/merchants/:id/limits', () =>
      HttpResponse.json<z.infer<typeof MerchantLimits>>({ ...world.ownLimits, isBusiness }),
    ),
    http.post('*/api/admin/merchants/:id/business', async ({ request }) => {
      ({ isBusiness } = (await request.json()) as { isBusiness: boolean });
      world.ownLimits = { ...world.ownLimits, tier: isBusiness ? 'business' : 'verified' };
      return HttpResponse.json({});
    }),
  ];
}
