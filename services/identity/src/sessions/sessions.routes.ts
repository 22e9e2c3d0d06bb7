import { SessionCheckBatch, SessionCheckResults } from '@vuka/contracts/internal/identity';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { type CheckSessionsDeps, checkSessions } from './check-sessions.ts';

export function sessionRoutes(app: HttpApp, deps: CheckSessionsDeps): void {
  app.post(
    '/internal/sessions/check-batch',
    { schema: { body: SessionCheckBatch, response: { 200: SessionCheckResults } } },
    async (request) => ({ results: await checkSessions(deps, request.body.items) }),
  );
}
