import type { LargeCredit, RecentCredits } from '@vuka/contracts/http/credits';
import { fixedId } from './fixtures.ts';

export const waiting: LargeCredit = {
  id: fixedId(7301),
  kind: 'credit',
  createdAt: '2026-01-11T08:15:00.000Z',
  status: 'awaiting_approval',
  amount: '25000000.00',
  currency: 'KES',
  merchantId: 'WANJ1204KENB',
  merchantName: 'Wanjiku Kamau',
  merchantUserId: fixedId(11),
  reason: 'Credit to WANJ1204KENB',
  reference: 'CRD-20260111-7KQ2M9XA',
  requestedBy: { adminId: 'ADM2', name: 'Baraka Admin' },
  decidedBy: null,
  decidedAt: null,
  refusalReason: null,
  transactionId: null,
  endedAt: null,
  isOwn: false,
};

export const largeCredits: LargeCredit[] = [
  waiting,
  {
    ...waiting,
    id: fixedId(7302),
    amount: '410000000.00',
    currency: 'TZS',
    merchantId: 'JUMA7310TZKE',
    merchantName: 'Juma Mwakyusa',
    merchantUserId: fixedId(10),
    reference: 'CRD-20260111-M3H8TT0C',
    requestedBy: { adminId: 'ADM1', name: 'Zuri Admin' },
    isOwn: true,
  },
  {
    ...waiting,
    id: fixedId(7304),
    kind: 'deposit',
    amount: '120000.00',
    currency: 'USD',
    merchantId: 'ADM2',
    merchantName: 'Baraka Admin',
    merchantUserId: null,
    reason: 'Float of the second quarter',
    reference: 'DEP-20260111-Q8ZJ0B4K',
  },
  {
    ...waiting,
    id: fixedId(7303),
    status: 'refused',
    decidedBy: { adminId: 'ADM1', name: 'Zuri Admin' },
    decidedAt: '2026-01-11T09:00:00.000Z',
    refusalReason: 'No contract with this merchant yet',
  },
];

export const recentCredits: RecentCredits['credits'] = [
  { amount: '50000.00', currency: 'KES', merchantId: 'AMIN4821WKES', merchantName: 'Amina Wanjiru' },
  { amount: '2300000.00', currency: 'TZS', merchantId: 'JUMA7310TZKE', merchantName: 'Juma Mwakyusa' },
].map((credit, index) => ({
  ...credit,
  currency: credit.currency as 'KES' | 'TZS',
  id: fixedId(7350 - index),
  createdAt: `2026-01-${String(11 - index)}T08:20:00.000Z`,
  madeBy: 'Zuri Admin',
  transactionId: index === 0 ? fixedId(3350) : null,
}));
