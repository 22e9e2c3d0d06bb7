import { adminOf } from '@vuka/access/caller';
import { Administrators } from '@vuka/contracts/http/administrators';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { IdentityDeps } from '#deps.ts';
import { listAdministrators } from './administrator.store.ts';

export function administratorRoutes(app: HttpApp, deps: IdentityDeps): void {
  app.get('/internal/administrators', { schema: { response: { 200: Administrators } } }, async (request) => {
    const { userId: callerId } = adminOf(request, deps.tokens);
    return { administrators: await listAdministrators(deps.db, { callerId, now: deps.now() }) };
  });
}
