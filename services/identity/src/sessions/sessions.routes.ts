import { callerOf } from '@vuka/access/caller';
import { Ok } from '@vuka/contracts/http/common';
import { SessionList } from '@vuka/contracts/http/sessions';
import { OwnSessions, SessionCheckBatch, SessionCheckResults, SessionEnd } from '@vuka/contracts/internal/identity';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { type CheckSessionsDeps, checkSessions } from './check-sessions.ts';
import { endSessions, listSessions } from './own-sessions.ts';
import type { SealedOrigins } from './sealed-origins.ts';

interface SessionRoutesDeps extends CheckSessionsDeps {
  sealedOrigins: SealedOrigins;
  kickRelay: () => void;
}

export function sessionRoutes(app: HttpApp, deps: SessionRoutesDeps): void {
  app.post(
    '/internal/sessions/check-batch',
    { schema: { body: SessionCheckBatch, response: { 200: SessionCheckResults } } },
    async (request) => ({ results: await checkSessions(deps, request.body.items) }),
  );
  app.post(
    '/internal/sessions/list',
    { schema: { body: OwnSessions, response: { 200: SessionList } } },
    async (request) => {
      const { userId } = callerOf(request);
      return { sessions: await listSessions(deps, userId, request.body.token) };
    },
  );
  app.post('/internal/sessions/end', { schema: { body: SessionEnd, response: { 200: Ok } } }, async (request) => {
    const { userId } = callerOf(request);
    await endSessions(deps, userId, request.body);
    deps.kickRelay();
    return { ok: true as const };
  });
}
