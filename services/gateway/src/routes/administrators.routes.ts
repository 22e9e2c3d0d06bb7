import { Administrators } from '@vuka/contracts/http/administrators';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { ADMIN_TAG } from '#access/admin-guard.ts';
import type { ApiDeps } from '#api/api-deps.ts';

const tags = [ADMIN_TAG];

/** The administrators, and what can be done about a locked one. */
export function administratorRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/administrators',
    {
      schema: {
        tags,
        summary: 'The administrators, and what can be done about a locked one',
        response: { 200: Administrators },
      },
    },
    async (request) => {
      const { callerToken: caller } = await sessions.requireAdmin(request);
      return services.identity.get('/internal/administrators', Administrators, { caller });
    },
  );
}
