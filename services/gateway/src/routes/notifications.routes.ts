import { NotificationQuery, Notifications } from '@vuka/contracts/http/notifications';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { searchParams } from '#api/search-params.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** Messages to users, sent or stored. */
export function notificationRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/notifications',
    { schema: { tags, querystring: NotificationQuery, response: { 200: Notifications } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/notifications?${searchParams(request.query)}`;
      return services.admin.get(path, Notifications, { caller });
    },
  );
}
