import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Sessions } from './sessions.ts';

export const ADMIN_TAG = 'admin';

/**
 * Lets only administrators reach a route that says it is theirs, before a body is looked at: who may not call it
 * learns nothing of it. Each handler asks again for the caller's token.
 */
export function guardAdminRoutes(app: HttpApp, sessions: Sessions): void {
  app.addHook('preValidation', async (request) => {
    const { schema } = request.routeOptions;
    if ((schema as { tags?: string[] } | undefined)?.tags?.includes(ADMIN_TAG)) await sessions.requireAdmin(request);
  });
}
