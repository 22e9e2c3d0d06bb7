import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Sessions } from './sessions.ts';

export const ADMIN_TAG = 'admin';

/**
 * Admits only administrators to admin routes, before a body is parsed: other callers learn nothing about the route.
 * Each handler still asks for the caller's token.
 */
export function guardAdminRoutes(app: HttpApp, sessions: Sessions): void {
  app.addHook('preValidation', async (request) => {
    const { schema } = request.routeOptions;
    if ((schema as { tags?: string[] } | undefined)?.tags?.includes(ADMIN_TAG)) await sessions.requireAdmin(request);
  });
}
