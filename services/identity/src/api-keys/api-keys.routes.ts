import { adminOf, confirmedAdminOf, decidingAdminOf } from '@vuka/access/caller';
import { ApiKeys, IssueApiKey, IssuedApiKey, RevokedApiKey } from '@vuka/contracts/http/api-keys';
import { ApiKeyCheck, KnownApiKey } from '@vuka/contracts/internal/identity';
import { reason } from '@vuka/contracts/texts/reason';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { idempotencyKeyOf } from '@vuka/service-kit/idempotency-key';
import * as z from 'zod/mini';
import type { IdentityDeps } from '#deps.ts';
import { listApiKeys } from './api-key.store.ts';
import { checkApiKey } from './check-api-key.ts';
import { issueApiKey } from './issue-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';

const ApiKeyId = z.object({ id: z.uuid({ error: reason('api_key_not_found') }) });
const ApiKeyName = z.pick(IssueApiKey, { name: true });

/** API keys of other programs: administration, and the check of a key. */
export function apiKeyRoutes(
  app: HttpApp,
  deps: Pick<IdentityDeps, 'db' | 'now' | 'kickRelay' | 'repeatableKeys'>,
): void {
  app.get('/internal/api-keys', { schema: { response: { 200: ApiKeys } } }, async (request) => {
    adminOf(request, 'api-keys.read');
    return { apiKeys: await listApiKeys(deps.db) };
  });
  app.post(
    '/internal/api-keys',
    { schema: { body: ApiKeyName, response: { 201: IssuedApiKey } } },
    async (request, reply) => {
      const caller = decidingAdminOf(request, 'api-keys.manage');
      const idempotencyKey = idempotencyKeyOf(request);
      const issued = await issueApiKey(deps, request.body.name, { caller, idempotencyKey });
      deps.kickRelay();
      return reply.code(201).send(issued);
    },
  );
  app.post(
    '/internal/api-keys/:id/revoke',
    { schema: { params: ApiKeyId, response: { 200: RevokedApiKey } } },
    async (request) => {
      const apiKey = await revokeApiKey(deps, confirmedAdminOf(request, 'api-keys.manage'), request.params.id);
      deps.kickRelay();
      return { apiKey };
    },
  );
  app.post(
    '/internal/api-keys/check',
    { schema: { body: ApiKeyCheck, response: { 200: KnownApiKey } } },
    async (request) => ({ apiKey: await checkApiKey(deps, request.body.key) }),
  );
}
