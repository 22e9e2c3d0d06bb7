import type { Adjustment } from '@vuka/contracts/http/adjustments';
import { fixedId } from './fixtures.ts';

export const waitingAdjustment: Adjustment = {
  id: fixedId(7501),
  createdAt: '2026-01-11T08:15:00.000Z',
  status: 'awaiting_approval',
  kind: 'loss',
  amount: '23030.50',
  currency: 'TZS',
  from: 'losses',
  to: 'payout-clearing',
  reason: 'Paid and returned on 9 January, ticket 48211',
  reference: 'ADJ-20260111-4M0Q8ZTA',
  requestedBy: { adminId: 'ADM2', name: 'Baraka Admin' },
  decidedBy: null,
  decidedAt: null,
  refusalReason: null,
  journalId: null,
  isOwn: false,
};

export const adjustments: Adjustment[] = [
  waitingAdjustment,
  {
    ...waitingAdjustment,
    id: fixedId(7502),
    kind: 'provider_fee',
    amount: '1250.00',
    currency: 'KES',
    from: 'provider-fees',
    to: 'payout-clearing',
    reason: 'Fees of 10 January',
    reference: 'ADJ-20260111-9C2K7PXE',
    requestedBy: { adminId: 'ADM1', name: 'Zuri Admin' },
    isOwn: true,
  },
];
