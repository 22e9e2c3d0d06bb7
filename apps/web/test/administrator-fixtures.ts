import type { Administrator } from '@vuka/contracts/http/administrators';
import { admin, fixedId } from './fixtures.ts';

const LOCKED_UNTIL = '2026-01-12T12:15:00.000Z';

const baraka: Administrator = {
  id: fixedId(7501),
  adminId: 'ADM2',
  role: 'owner',
  secondFactors: 0,
  roleProposal: null,
  fullName: 'Baraka Admin',
  email: 'baraka@vuka.test',
  isBlocked: false,
  lockedUntil: null,
  unlockRequest: null,
  unlockStep: 'none',
};

export const administrators: Administrator[] = [
  { ...baraka, id: admin.id, adminId: 'ADM1', fullName: admin.fullName, email: admin.email },
  baraka,
  {
    ...baraka,
    id: fixedId(7502),
    adminId: 'ADM3',
    fullName: 'Neema Admin',
    email: 'neema@vuka.test',
    lockedUntil: LOCKED_UNTIL,
    unlockStep: 'request',
  },
  {
    ...baraka,
    id: fixedId(7503),
    adminId: 'ADM4',
    fullName: 'Juma Admin',
    email: 'juma.mkuu@vuka.test',
    lockedUntil: LOCKED_UNTIL,
    unlockStep: 'confirm',
    unlockRequest: {
      requestedBy: { id: baraka.id, adminId: 'ADM2', name: baraka.fullName },
      requestedAt: '2026-01-12T12:02:00.000Z',
      expiresAt: '2026-01-13T12:02:00.000Z',
    },
  },
];

/** Calls that are answered step_up_required while `world.isPinStale`. */
export const NEEDS_PIN = /\/(rates\/update|credit-balance|(system|notification)-settings|toggle-block|unlock|revoke)$/;
