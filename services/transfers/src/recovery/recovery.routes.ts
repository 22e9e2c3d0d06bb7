import { adminOf } from '@vuka/access/caller';
import { ProviderInquiry, RecoveryState, StuckTransactions } from '@vuka/contracts/http/recovery';
import { Receipt } from '@vuka/contracts/http/transfers';
import { reason } from '@vuka/contracts/texts/reason';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { toReceipt, toStuckItem } from '#history/transfer.view.ts';
import { listStuckTransfers } from '#saga/stuck-transfers.ts';
import { type InquireDeps, inquirePayout } from './inquire-payout.ts';
import { previewRecovery } from './preview-recovery.ts';
import { requestRetry } from './request-retry.ts';

export interface RecoveryRoutesDeps extends InquireDeps {
  stuckAfterMs: number;
}

const TransferId = z.object({ id: z.uuid({ error: reason('transaction_not_found') }) });

/** Stuck transfers, and their recovery by administrators. */
export function recoveryRoutes(app: HttpApp, deps: RecoveryRoutesDeps): void {
  app.get('/internal/stuck-transfers', { schema: { response: { 200: StuckTransactions } } }, async (request) => {
    adminOf(request, 'recovery.read');
    const stuck = await listStuckTransfers(deps.db, deps.stuckAfterMs);
    return { stuckTransactions: stuck.map((transfer) => ({ transaction: toStuckItem(transfer) })) };
  });
  app.get(
    '/internal/transfers/:id/recovery',
    { schema: { params: TransferId, response: { 200: RecoveryState } } },
    (request) => previewRecovery(deps, request.params.id, adminOf(request, 'recovery.read')),
  );
  app.post(
    '/internal/transfers/:id/recovery/inquire',
    { schema: { params: TransferId, response: { 200: ProviderInquiry } } },
    (request) => inquirePayout(deps, request.params.id, adminOf(request, 'recovery.retry')),
  );
  app.post(
    '/internal/transfers/:id/retry',
    { schema: { params: TransferId, response: { 202: Receipt } } },
    async (request, reply) => {
      const caller = adminOf(request, 'recovery.retry');
      const reason = 'requested by an administrator';
      const transfer = await requestRetry(deps, { transferId: request.params.id, caller, reason });
      return reply.code(202).send({ transaction: toReceipt(transfer, caller.userId) });
    },
  );
}
