import type { PayoutException, Reconciliation, ReconciliationOverview } from '@vuka/contracts/http/reconciliation';
import { RequestReconciliation, ResolveException, TakeException } from '@vuka/contracts/http/reconciliation';
import { reason } from '@vuka/contracts/texts/reason';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { PIN } from './fixtures.ts';
import { run } from './reconciliation-fixtures.ts';
import type { World } from './world.ts';

export function reconciliationHandlers(world: World) {
  return [
    http.get('*/api/admin/reconciliation', () =>
      HttpResponse.json<ReconciliationOverview>({
        runs: world.reconciliations,
        exceptions: world.exceptions,
        floats: world.floats,
        openExceptions: world.exceptions.filter(({ state }) => state === 'open').length,
      }),
    ),
    http.post('*/api/admin/reconciliation/runs', async ({ request }) => {
      const { day } = z.parse(RequestReconciliation, await request.json());
      if (day > '2026-01-13') return errorAnswer('validation_failed', reason('reconciliation_too_early'));
      const started = run(0, { day, requestedBy: 'Administrator' });
      world.reconciliations = [started, ...world.reconciliations];
      return HttpResponse.json<Reconciliation>(started, { status: 202 });
    }),
    http.post('*/api/admin/reconciliation/exceptions/:id/take', async ({ params, request }) => {
      const claim = z.parse(TakeException, await request.json());
      const { owner, ownerId } = world.exceptions.find(({ id }) => id === params.id) ?? {};
      if (owner && claim?.takenFrom !== ownerId)
        return errorAnswer('already_decided', reason('exception_taken', { name: owner }));
      return change(world, String(params.id), { owner: 'Administrator', ownerId: 'ADM1', isOwnedByCaller: true });
    }),
    http.post('*/api/admin/reconciliation/exceptions/:id/resolve', async ({ params, request }) => {
      const { note, pin, outcome } = z.parse(ResolveException, await request.json());
      if (pin !== PIN) return wrongPin();
      const held = world.exceptions.find(({ id }) => id === params.id)?.holdsTransfer;
      if (held !== (outcome !== undefined)) return errorAnswer('already_decided', reason('exception_transfer_ended'));
      const resolvedAt = '2026-01-12T10:00:00.000Z';
      return change(world, String(params.id), {
        state: 'resolved',
        owner: 'Administrator',
        note,
        resolvedAt,
        holdsTransfer: false,
        details: { outcome },
      });
    }),
  ];
}

function change(world: World, id: string, to: Partial<PayoutException>) {
  const found = world.exceptions.find((each) => each.id === id);
  if (!found) return errorAnswer('not_found', reason('exception_not_found'));
  if (found.state !== 'open') return errorAnswer('already_decided', reason('exception_resolved'));
  Object.assign(found, to);
  return HttpResponse.json<PayoutException>(found);
}
