import { ProviderInquiry, RecoveryState } from '@vuka/contracts/http/recovery';
import { Receipt } from '@vuka/contracts/http/transfers';
import { TransferItems } from '@vuka/contracts/internal/transfers';
import { adminOf, type HttpApp } from '@vuka/service-kit/http-app';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import * as z from 'zod/mini';
import { listTransfersOf } from '#transfers/list-transfers.ts';
import { requestRetry } from '#transfers/retry-transfer.ts';
import { toListItem, toReceipt } from '#transfers/transfer.view.ts';
import { type InquireDeps, inquirePayout } from './inquire-payout.ts';
import { previewRecovery } from './preview-recovery.ts';

export interface RecoveryRoutesDeps extends InquireDeps {
  tokens: InternalTokens;
}

const TransferId = z.object({ id: z.uuid({ error: 'Transaction not found' }) });
const UserId = z.object({ userId: z.uuid({ error: 'Merchant not found' }) });
const RECENT = 10;

/** What administrators see and do about one transfer, and a merchant's last ones. */
export function recoveryRoutes(app: HttpApp, deps: RecoveryRoutesDeps): void {
  app.get(
    '/internal/transfers/:id/recovery',
    { schema: { params: TransferId, response: { 200: RecoveryState } } },
    (request) => previewRecovery(deps, request.params.id, adminOf(request, deps.tokens)),
  );
  app.post(
    '/internal/transfers/:id/recovery/inquire',
    { schema: { params: TransferId, response: { 200: ProviderInquiry } } },
    (request) => inquirePayout(deps, request.params.id, adminOf(request, deps.tokens)),
  );
  app.post(
    '/internal/transfers/:id/retry',
    { schema: { params: TransferId, response: { 202: Receipt } } },
    async (request, reply) => {
      const caller = adminOf(request, deps.tokens);
      const reason = 'asked for by an administrator';
      const transfer = await requestRetry(deps, { transferId: request.params.id, caller, reason });
      return reply.code(202).send({ transaction: toReceipt(transfer, caller.userId) });
    },
  );
  app.get(
    '/internal/users/:userId/recent-transfers',
    { schema: { params: UserId, response: { 200: TransferItems } } },
    async (request) => {
      adminOf(request, deps.tokens);
      const { userId } = request.params;
      const rows = await listTransfersOf(deps.db, userId, { limit: RECENT });
      return { items: rows.slice(0, RECENT).map((row) => toListItem(row, userId)) };
    },
  );
}
