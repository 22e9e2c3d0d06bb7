import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { findNetwork } from '#networks/network.domain.ts';
import type { Networks } from '#networks/networks.ts';
import { Scenario, type Scenarios } from './scenarios.ts';
import { sumTotals } from './totals.ts';

export interface ControlDeps {
  db: Db;
  scenarios: Scenarios;
  networks: Networks;
}

const PAGE = 1_000;
const amount = z.string().check(z.regex(/^\d{1,15}(\.\d{1,2})?$/));
const NetworkChange = z.object({
  status: z.optional(z.enum(['OPERATIONAL', 'DELAYED', 'CLOSED'])),
  minAmount: z.optional(amount),
  maxAmount: z.optional(amount),
});

/** Controls for tests and operators, and the ledger of actual payments. Not part of pawaPay's contract. */
export function controlRoutes(app: HttpApp, { db, scenarios, networks }: ControlDeps): void {
  app.post('/sim/scenarios', { schema: { body: Scenario } }, async (request, reply) =>
    reply.code(201).send({ id: await scenarios.add(request.body) }),
  );
  app.get('/sim/scenarios', async () => ({ scenarios: scenarios.list() }));
  app.post(
    '/sim/scenarios/off',
    { schema: { body: z.object({ name: z.optional(z.string()) }) } },
    async ({ body: { name } }) => {
      if (name !== undefined) return { wasOn: await scenarios.remove(name) };
      const wasOn = scenarios.list().length > 0;
      await scenarios.clear();
      return { wasOn };
    },
  );
  app.get('/sim/totals', async () => ({ totals: await sumTotals(db) }));
  app.delete('/sim/scenarios', async (_request, reply) => {
    await scenarios.clear();
    return reply.code(204).send();
  });
  app.post(
    '/sim/providers/:network',
    { schema: { params: z.object({ network: z.string() }), body: NetworkChange } },
    async (request) => {
      const { network } = request.params;
      if (!findNetwork(network)) throw new AppError('network_not_found');
      const change = Object.entries(request.body).filter(([, value]) => value !== undefined);
      return networks.set(network, Object.fromEntries(change));
    },
  );
  app.post(
    '/sim/wallets',
    { schema: { body: z.object({ currency: z.enum(WALLET_CURRENCIES), balance: amount }) } },
    async (request) => {
      const { currency, balance } = request.body;
      await db.updateTable('wallets').set({ balance }).where('currency', '=', currency).execute();
      return { currency, balance };
    },
  );
  app.get(
    '/sim/ledger',
    {
      schema: {
        querystring: z.object({
          cursor: z._default(z.coerce.number().check(z.int(), z.gte(0)), 0),
          limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000)), PAGE),
        }),
      },
    },
    async (request) => listLedger(db, request.query),
  );
}

async function listLedger(db: Db, { cursor, limit }: { cursor: number; limit: number }) {
  const rows = await db
    .selectFrom('ledger')
    .selectAll()
    .where('seq', '>', BigInt(cursor))
    .orderBy('seq')
    .limit(limit)
    .execute();
  return {
    entries: rows.map(({ id, msisdn, amount: paid, currency, paid_at }) => ({
      id,
      msisdn,
      amount: paid,
      currency,
      paidAt: paid_at.toISOString(),
    })),
    nextCursor: rows.length === limit ? String(rows.at(-1)?.seq) : null,
  };
}
