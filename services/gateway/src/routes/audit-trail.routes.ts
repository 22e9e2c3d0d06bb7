import { AuditTrail, AuditTrailQuery } from '@vuka/contracts/http/audit-trail';
import { dayEnd, dayStart } from '@vuka/contracts/http/days';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { searchParams } from '#api/search-params.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

/** The actions of administrators. */
export function auditTrailRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/audit-trail',
    {
      schema: {
        tags: [ADMIN_TAG],
        summary: 'Actions of administrators, newest first',
        querystring: AuditTrailQuery,
        response: { 200: AuditTrail },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const { from, to, ...query } = request.query;
      const search = searchParams({ ...query, from: from && dayStart(from), before: to && dayEnd(to) });
      return services.admin.get(`/internal/audit-trail?${search}`, AuditTrail, { caller });
    },
  );
}
