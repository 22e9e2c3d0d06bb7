import { type ApiKey, type ApiKeys, IssueApiKey, type IssuedApiKey } from '@vuka/contracts/http/api-keys';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { fixedId, PIN } from './fixtures.ts';
import type { World } from './handlers.ts';

export const NEW_KEY = 'vuka_Zt4kW9bN5sD2fG6hJ8kLq7Xy2mN4bT7wRz0aK3_dLq9';

const CREATED_BY = { adminId: 'ADM10000001', name: 'Zuri Admin' };

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

export function apiKeyHandlers(world: World) {
  return [
    http.get('*/api/admin/api-keys', () => HttpResponse.json<z.infer<typeof ApiKeys>>({ apiKeys: world.apiKeys })),
    http.post('*/api/admin/api-keys', async ({ request }) => {
      const { name, pin } = z.parse(IssueApiKey, await request.json());
      if (pin !== PIN) return wrongPin();
      const apiKey: ApiKey = {
        id: fixedId(7410 + world.apiKeys.length),
        name,
        ending: NEW_KEY.slice(-4),
        createdAt: '2026-01-12T06:31:00.000Z',
        createdBy: CREATED_BY,
        lastUsedAt: null,
        revokedAt: null,
      };
      world.apiKeys = [apiKey, ...world.apiKeys];
      return HttpResponse.json<IssuedApiKey>({ apiKey, key: NEW_KEY }, { status: 201 });
    }),
    http.post('*/api/admin/api-keys/:id/revoke', ({ params }) => {
      const known = world.apiKeys.find(({ id }) => id === params.id);
      if (!known) return errorAnswer('not_found', 'API key not found');
      const apiKey = { ...known, revokedAt: known.revokedAt ?? '2026-01-12T06:31:00.000Z' };
      world.apiKeys = world.apiKeys.map((other) => (other === known ? apiKey : other));
      return HttpResponse.json({ apiKey });
    }),
  ];
}
