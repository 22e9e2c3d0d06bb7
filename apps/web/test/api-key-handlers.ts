import { type ApiKey, type ApiKeys, IssueApiKey, type IssuedApiKey } from '@vuka/contracts/http/api-keys';
import { reason } from '@vuka/contracts/texts/reason';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { CREATED_BY, NEW_KEY } from './api-key-fixtures.ts';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { fixedId, PIN } from './fixtures.ts';
import type { World } from './world.ts';

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
      if (!known) return errorAnswer('not_found', reason('api_key_not_found'));
      const apiKey = { ...known, revokedAt: known.revokedAt ?? '2026-01-12T06:31:00.000Z' };
      world.apiKeys = world.apiKeys.map((other) => (other === known ? apiKey : other));
      return HttpResponse.json({ apiKey });
    }),
  ];
}
