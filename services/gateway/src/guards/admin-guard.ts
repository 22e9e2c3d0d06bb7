import { mayDo, rightFor } from '@vuka/contracts/http/admin-rights';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Sessions } from './sessions.ts';

export const ADMIN_TAG = 'admin';

/**
 * Admits only administrators whose role allows the call to admin routes, before a body is parsed: other callers learn
 * nothing about the route. Each owning service checks the same by the role in the caller's header.
 */
export function guardAdminRoutes(app: HttpApp, sessions: Sessions): void {
  app.addHook('preValidation', async (request) => {
    const { schema, url = '' } = request.routeOptions;
    if (!(schema as { tags?: string[] } | undefined)?.tags?.includes(ADMIN_TAG)) return;
    const { user } = await sessions.requireAdmin(request);
    const right = rightFor(request.method, url);
    if (!right || !mayDo(user.adminRole ?? null, right)) throw new AppError('role_not_allowed');
  });
}
