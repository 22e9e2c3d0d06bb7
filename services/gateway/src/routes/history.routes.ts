import { dayEnd, dayStart } from '@vuka/contracts/http/days';
import { TransactionsQuery } from '@vuka/contracts/http/transaction-filters';
import { Receipt, Timeline, TransactionListItem } from '@vuka/contracts/http/transfers';
import { TransferPage } from '@vuka/contracts/internal/transfers';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { nextLink, searchParams } from '#api/search-params.ts';

/** The user's own transfers. */
export function historyRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  const tags = ['transfers'];
  app.get(
    '/api/transactions',
    {
      schema: {
        tags,
        summary: "The user's own transfers, newest first",
        querystring: TransactionsQuery,
        response: { 200: z.array(TransactionListItem) },
      },
    },
    async (request, reply) => {
      const { caller } = await sessions.require(request);
      const { from, to, ...query } = request.query;
      const moments = { ...query, from: from && dayStart(from), before: to && dayEnd(to) };
      const page = await services.transfers.get(`/internal/transfers?${searchParams(moments)}`, TransferPage, {
        caller,
      });
      reply.headers(nextLink('/api/transactions', request.query, page.nextCursor));
      return page.items;
    },
  );
  app.get(
    '/api/transactions/:id',
    { schema: { tags, summary: 'Receipt', params: AnyId, response: { 200: Receipt } } },
    async (request) => {
      const { caller } = await sessions.require(request);
      const path = `/internal/transfers/${knownForm(request.params.id, 'transaction_not_found')}`;
      return services.transfers.get(path, Receipt, { caller });
    },
  );
  app.get(
    '/api/transactions/:id/timeline',
    { schema: { tags, summary: 'The timeline of a transfer', params: AnyId, response: { 200: Timeline } } },
    async (request) => {
      const { caller } = await sessions.require(request);
      const path = `/internal/transfers/${knownForm(request.params.id, 'transaction_not_found')}/timeline`;
      return services.transfers.get(path, Timeline, { caller });
    },
  );
}
