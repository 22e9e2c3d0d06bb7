import { IntegrationLogs } from '@vuka/contracts/http/integration-logs';
import { ProviderInquiry, RecoveryPreview, RecoveryState, StuckTransactions } from '@vuka/contracts/http/recovery';
import { Receipt, TransactionListItem } from '@vuka/contracts/http/transfers';
import { TransfersToQuery } from '@vuka/contracts/http/transfers-to';
import { TransferPage } from '@vuka/contracts/internal/transfers';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { inTime } from '#api/in-time.ts';
import { nextLink, searchParams } from '#api/search-params.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** Stuck transactions, and those to a phone number; the details of one, and the retry. */
export function recoveryRoutes(app: HttpApp, { sessions, services, limits }: ApiDeps): void {
  app.get(
    '/api/admin/transactions',
    {
      schema: {
        tags,
        summary: 'The transactions to a phone number, newest first',
        querystring: TransfersToQuery,
        response: { 200: z.array(TransactionListItem) },
      },
    },
    async (request, reply) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/transfers-to?${searchParams(request.query)}`;
      const page = await services.transfers.get(path, TransferPage, { caller });
      reply.headers(nextLink('/api/admin/transactions', request.query, page.nextCursor));
      return page.items;
    },
  );
  app.get(
    '/api/admin/stuck-transactions',
    { schema: { tags, response: { 200: StuckTransactions } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.transfers.get('/internal/stuck-transfers', StuckTransactions, { caller });
    },
  );
  app.post(
    '/api/admin/transactions/:id/retry',
    { schema: { tags, params: AnyId, response: { 202: Receipt } } },
    async (request, reply) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/transfers/${knownForm(request.params.id, 'transaction_not_found')}/retry`;
      return reply.code(202).send(await services.transfers.post(path, {}, Receipt, { caller }));
    },
  );
  app.get(
    '/api/admin/transactions/:id/recovery',
    {
      schema: {
        tags,
        summary: 'The progress of a transaction, and its retries',
        params: AnyId,
        response: { 200: RecoveryPreview },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const id = knownForm(request.params.id, 'transaction_not_found');
      const [state, calls] = await Promise.all([
        services.transfers.get(`/internal/transfers/${id}/recovery`, RecoveryState, { caller }),
        inTime(services.integrationLog.get(`/internal/logs?transactionId=${id}`, IntegrationLogs, { caller })),
      ]);
      return { ...state, lastCall: calls?.logs[0] ?? null };
    },
  );
  app.post(
    '/api/admin/transactions/:id/recovery/inquire',
    {
      schema: {
        tags,
        summary: 'Ask the provider for the status of a payout',
        params: AnyId,
        response: { 200: ProviderInquiry },
      },
    },
    async (request) => {
      const { caller, user } = await sessions.requireAdmin(request);
      limits.allowInquiry(user.id);
      const path = `/internal/transfers/${knownForm(request.params.id, 'transaction_not_found')}/recovery/inquire`;
      return services.transfers.post(path, {}, ProviderInquiry, { caller });
    },
  );
}
