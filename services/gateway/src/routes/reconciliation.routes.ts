import {
  PayoutException,
  Reconciliation,
  ReconciliationOverview,
  RequestReconciliation,
  ResolveException,
  TakeException,
} from '@vuka/contracts/http/reconciliation';
import { reason } from '@vuka/contracts/texts/reason';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];
const ExceptionId = z.object({ id: z.uuid({ error: reason('exception_not_found') }) });

/** Compares our books with the provider's statement. */
export function reconciliationRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/reconciliation',
    {
      schema: {
        tags,
        summary: 'The last reconciliations, and the exceptions',
        response: { 200: ReconciliationOverview },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.transfers.get('/internal/reconciliation', ReconciliationOverview, { caller });
    },
  );
  app.post(
    '/api/admin/reconciliation/runs',
    {
      schema: {
        tags,
        summary: "Compare a day's payouts with the provider's statement",
        body: RequestReconciliation,
        response: { 202: Reconciliation },
      },
    },
    async (request, reply) => {
      const { caller } = await sessions.requireAdmin(request);
      const run = await services.transfers.post('/internal/reconciliation/runs', request.body, Reconciliation, {
        caller,
      });
      return reply.code(202).send(run);
    },
  );
  app.post(
    '/api/admin/reconciliation/exceptions/:id/take',
    {
      schema: {
        tags,
        summary: 'Handle an exception, or take it over from another administrator',
        params: ExceptionId,
        body: TakeException,
        response: { 200: PayoutException },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/reconciliation/exceptions/${request.params.id}/take`;
      return services.transfers.post(path, request.body ?? {}, PayoutException, { caller });
    },
  );
  app.post(
    '/api/admin/reconciliation/exceptions/:id/resolve',
    {
      schema: {
        tags,
        summary: 'Close an exception with what was found and done',
        params: ExceptionId,
        body: ResolveException,
        response: { 200: PayoutException },
      },
    },
    async (request) => {
      const { pin, ...body } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const path = `/internal/reconciliation/exceptions/${request.params.id}/resolve`;
      return services.transfers.post(path, body, PayoutException, { caller });
    },
  );
}
