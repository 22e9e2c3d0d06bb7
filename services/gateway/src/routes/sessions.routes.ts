import { Id, Ok } from '@vuka/contracts/http/common';
import { SessionList } from '@vuka/contracts/http/sessions';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';

const tags = ['account'];

/** The devices on which a user is signed in. */
export function sessionRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  async function end(request: FastifyRequest, id?: string) {
    const { caller, sessionToken: token } = await sessions.require(request);
    return services.identity.post('/internal/sessions/end', { token, ...(id ? { id } : {}) }, Ok, { caller });
  }

  app.get(
    '/api/sessions',
    { schema: { tags, summary: 'Where the user is signed in', response: { 200: SessionList } } },
    async (request) => {
      const { caller, sessionToken: token } = await sessions.require(request);
      return services.identity.post('/internal/sessions/list', { token }, SessionList, { caller });
    },
  );
  app.post(
    '/api/sessions/end-others',
    { schema: { tags, summary: 'Sign out everywhere else', response: { 200: Ok } } },
    (request) => end(request),
  );
  app.post(
    '/api/sessions/:id/end',
    { schema: { tags, summary: 'Sign out on one device', params: z.object({ id: Id }), response: { 200: Ok } } },
    (request) => end(request, request.params.id),
  );
}
