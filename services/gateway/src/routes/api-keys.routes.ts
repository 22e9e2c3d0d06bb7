import { ApiKeys, IssueApiKey, IssuedApiKey, RevokedApiKey } from '@vuka/contracts/http/api-keys';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { IdempotencyKey } from '#api/idempotency-key.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** Keys that administrators issue to other programs. Routes that accept a key use `guards/api-keys.ts`. */
export function apiKeyRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/api-keys',
    { schema: { tags, summary: 'The API keys of other programs, newest first', response: { 200: ApiKeys } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.identity.get('/internal/api-keys', ApiKeys, { caller });
    },
  );
  app.post(
    '/api/admin/api-keys',
    {
      schema: {
        tags,
        summary:
          'Issue an API key to another program; only this answer, and that to a repeat under its Idempotency-Key, contains the key',
        body: IssueApiKey,
        headers: IdempotencyKey,
        response: { 201: IssuedApiKey },
      },
    },
    async (request, reply) => {
      const { pin, name } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const issued = await services.identity.post('/internal/api-keys', { name }, IssuedApiKey, {
        caller,
        key: request.headers['idempotency-key'],
      });
      return reply.code(201).send(issued);
    },
  );
  app.post(
    '/api/admin/api-keys/:id/revoke',
    {
      schema: {
        tags,
        summary: 'Revoke an API key; a repeat changes nothing',
        params: AnyId,
        response: { 200: RevokedApiKey },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const id = knownForm(request.params.id, 'api_key_not_found');
      return services.identity.post(`/internal/api-keys/${id}/revoke`, {}, RevokedApiKey, { caller });
    },
  );
}
