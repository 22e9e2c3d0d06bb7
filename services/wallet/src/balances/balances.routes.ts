import { Id } from '@vuka/contracts/http/common';
import { AccountEntries, BalancesBatch, BalancesBatchResults, EntriesQuery } from '@vuka/contracts/internal/wallet';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { listBalances } from './list-balances.ts';
import { listEntries } from './list-entries.ts';

export function balancesRoutes(app: HttpApp, deps: { db: Db }): void {
  app.route({
    method: 'POST',
    url: '/internal/balances-batch',
    config: { calledBy: ['gateway', 'transfers'] },
    schema: { body: BalancesBatch, response: { 200: BalancesBatchResults } },
    handler: async (request) => ({
      results: await listBalances(
        deps.db,
        request.body.items.map((item) => item.userId),
      ),
    }),
  });
  app.route({
    method: 'GET',
    url: '/internal/accounts/:userId/entries',
    schema: { params: z.object({ userId: Id }), querystring: EntriesQuery, response: { 200: AccountEntries } },
    handler: (request) => listEntries(deps.db, { ...request.query, ...request.params }),
  });
}
