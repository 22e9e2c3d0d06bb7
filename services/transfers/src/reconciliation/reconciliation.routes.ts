import { adminOf, decidingAdminOf } from '@vuka/access/caller';
import {
  ExceptionResolution,
  PayoutException,
  Reconciliation,
  ReconciliationOverview,
  RequestReconciliation,
  TakeException,
} from '@vuka/contracts/http/reconciliation';
import { reason } from '@vuka/contracts/texts/reason';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { listFloats } from './compare-float.ts';
import { type ReconcileDeps, requestReconciliation } from './reconcile-day.ts';
import { listExceptions, listRuns } from './reconciliation.store.ts';
import { resolveException, type SettleDeps, takeException } from './settle-exception.ts';

export interface ReconciliationRoutesDeps extends ReconcileDeps, SettleDeps {}

const ExceptionId = z.object({ id: z.uuid({ error: reason('exception_not_found') }) });

/** Reconciliation of our books with the provider's statement. */
export function reconciliationRoutes(app: HttpApp, deps: ReconciliationRoutesDeps): void {
  app.get('/internal/reconciliation', { schema: { response: { 200: ReconciliationOverview } } }, async (request) => {
    const viewer = adminOf(request, 'reconciliation.read');
    // In this order, so that a finished run's exceptions are never missing.
    const runs = await listRuns(deps.db);
    const { exceptions, open } = await listExceptions(deps.db, viewer);
    return { runs, exceptions, openExceptions: open, floats: await listFloats(deps.db) };
  });
  app.post(
    '/internal/reconciliation/runs',
    { schema: { body: RequestReconciliation, response: { 202: Reconciliation } } },
    async (request, reply) => {
      const caller = adminOf(request, 'reconciliation.run');
      const { run, done } = await requestReconciliation(deps, { day: request.body.day, caller });
      // It records its result in its own row, whether or not anyone waits.
      void done;
      return reply.code(202).send(run);
    },
  );
  app.post(
    '/internal/reconciliation/exceptions/:id/take',
    { schema: { params: ExceptionId, body: TakeException, response: { 200: PayoutException } } },
    (request) => {
      const caller = adminOf(request, 'reconciliation.decide');
      return takeException(deps, { id: request.params.id, ...request.body, caller });
    },
  );
  app.post(
    '/internal/reconciliation/exceptions/:id/resolve',
    { schema: { params: ExceptionId, body: ExceptionResolution, response: { 200: PayoutException } } },
    (request) =>
      resolveException(deps, {
        id: request.params.id,
        ...request.body,
        caller: decidingAdminOf(request, 'reconciliation.decide'),
      }),
  );
}
