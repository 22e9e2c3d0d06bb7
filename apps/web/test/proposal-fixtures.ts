import type { LimitProposal, Proposal, RateProposal } from '@vuka/contracts/http/proposals';
import type { TierLimitsProposal } from '@vuka/contracts/http/tier-limits';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { fixedId } from './fixtures.ts';

export interface ProposalWorld {
  rateProposals: RateProposal[];
  limitProposals: LimitProposal[];
  tierLimitProposals: TierLimitsProposal[];
}

const waiting: Proposal = {
  id: fixedId(7401),
  createdAt: '2026-01-12T05:40:00.000Z',
  expiresAt: '2026-01-13T05:40:00.000Z',
  status: 'awaiting_approval',
  requestedBy: { adminId: 'ADM2', name: 'Baraka Admin' },
  decidedBy: null,
  decidedAt: null,
  refusalReason: null,
  isOwn: false,
};

/** A proposal of the signed-in administrator. */
export const ownProposal = (number: number): Proposal => ({
  ...waiting,
  id: fixedId(number),
  requestedBy: { adminId: 'ADM1', name: 'Zuri Admin' },
  isOwn: true,
});

export const rateProposal: RateProposal = {
  ...waiting,
  before: { buyRate: 23.5, markup: 2, kesToTzs: 23.03, tzsToKes: 0.0417021276595744 },
  after: { buyRate: 39, markup: 2, kesToTzs: 38.22, tzsToKes: 0.0251282051282051 },
};

export const limitProposal: LimitProposal = {
  ...waiting,
  id: fixedId(7402),
  limits: [
    { kind: 'withdrawal', currency: 'TZS', from: '2000000', to: '5000000' },
    { kind: 'credit', currency: 'KES', from: '10000000', to: '25000000' },
  ],
};

const businessLimits = {
  tier: 'business',
  currency: WALLET_CURRENCIES[0],
  perTransaction: '1000000',
  perDay: '5000000',
  perMonth: '100000000',
  perDayIn: '10000000',
  perMonthIn: '200000000',
} as const;

export const tierLimitProposal: TierLimitsProposal = {
  ...waiting,
  id: fixedId(7403),
  before: businessLimits,
  after: { ...businessLimits, perTransaction: '2500000', perDay: '7500000' },
};
