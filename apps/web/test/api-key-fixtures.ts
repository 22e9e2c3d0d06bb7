import type { ApiKey } from '@vuka/contracts/http/api-keys';
import { fixedId } from './fixtures.ts';

export const NEW_KEY = 'vuka_Zt4kW9bN5sD2fG6hJ8kLq7Xy2mN4bT7wRz0aK3_dLq9';

export const CREATED_BY = { adminId: 'ADM10000001', name: 'Zuri Admin' };

export const apiKeys: ApiKey[] = [
  {
    id: fixedId(7402),
    name: 'Bookkeeping',
    ending: 'x7Qe',
    createdAt: '2026-01-09T07:40:00.000Z',
    createdBy: CREATED_BY,
    lastUsedAt: '2026-01-12T06:30:00.000Z',
    revokedAt: null,
  },
  {
    id: fixedId(7401),
    name: 'Old warehouse',
    ending: '-b_2',
    createdAt: '2025-11-03T11:05:00.000Z',
    createdBy: { adminId: 'ADM10000002', name: 'Baraka Admin' },
    lastUsedAt: null,
    revokedAt: '2025-12-01T08:00:00.000Z',
  },
];
