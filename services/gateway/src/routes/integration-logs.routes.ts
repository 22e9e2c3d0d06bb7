import { IntegrationLogDetail, IntegrationLogs } from '@vuka/contracts/http/integration-logs';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { searchParams } from '#api/search-params.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';
import { refuseForeignOrigin } from '#guards/same-origin.ts';

const tags = [ADMIN_TAG];

/** Requests to providers and their answers. */
export function integrationLogRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  const Recent = z.object({
    transactionId: z.optional(z.string().check(z.maxLength(100))),
    generate: z.optional(z.string()),
  });
  app.get(
    '/api/integration-logs/recent',
    { schema: { tags, querystring: Recent, response: { 200: IntegrationLogs } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      if (request.query.generate !== undefined) refuseForeignOrigin(request);
      return services.integrationLog.get(`/internal/logs?${searchParams(request.query)}`, IntegrationLogs, {
        caller,
      });
    },
  );
  app.get(
    '/api/integration-logs/log/:id',
    { schema: { tags, params: AnyId, response: { 200: IntegrationLogDetail } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const id = knownForm(request.params.id, 'log_not_found');
      return services.integrationLog.get(`/internal/logs/${id}`, IntegrationLogDetail, { caller });
    },
  );
}
