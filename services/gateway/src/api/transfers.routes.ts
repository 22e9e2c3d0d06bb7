import { dayEnd, dayStart } from '@vuka/contracts/http/days';
import { Quote, QuoteRequest, Rates } from '@vuka/contracts/http/rates';
import {
  CreateTransfer,
  Receipt,
  Timeline,
  TransactionListItem,
  TransactionsQuery,
} from '@vuka/contracts/http/transfers';
import { Pricing } from '@vuka/contracts/internal/pricing';
import {
  type TransferOrder,
  type TransferOrderResult,
  TransferOrderResults,
  TransferPage,
} from '@vuka/contracts/internal/transfers';
import { AppError, Overloaded } from '@vuka/service-kit/app-error';
import { createBatcher, WITHIN_BODY } from '@vuka/service-kit/batcher';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from './api-deps.ts';
import { AnyId, knownForm } from './ids.ts';
import { nextLink, searchParams } from './search-params.ts';

/** Prices and transfers. */
export function transferRoutes(app: HttpApp, deps: ApiDeps): void {
  priceRoutes(app, deps);
  orderRoute(app, deps);
  historyRoutes(app, deps);
}

function priceRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  const tags = ['prices'];
  app.get('/api/rates', { schema: { tags, summary: 'Current rates', response: { 200: Rates } } }, async (request) => {
    await sessions.require(request);
    return toRates(await services.rates.get('/internal/pricing', Pricing));
  });
  app.post(
    '/api/quotes',
    { schema: { tags, summary: 'Hold a price for 60 s', body: QuoteRequest, response: { 201: Quote } } },
    async (request, reply) => {
      const { callerToken } = await sessions.require(request);
      const quote = await services.transfers.post('/internal/quotes', request.body, Quote, { caller: callerToken });
      return reply.code(201).send(quote);
    },
  );
}

export function toRates(pricing: Pricing): Rates {
  const sellRate = Number(pricing.kesToTzs);
  return {
    kesToTzs: sellRate,
    tzsToKes: Number(pricing.tzsToKes),
    sellRate,
    buyRate: Number(pricing.buyRate),
    markup: Number(pricing.markup),
    updatedAt: pricing.updatedAt,
  };
}

function orderRoute(app: HttpApp, { sessions, services, limits, orderDoor }: ApiDeps): void {
  const orders = createBatcher<TransferOrder, TransferOrderResult>({
    concurrency: 2,
    maxBatch: 200,
    ...WITHIN_BODY,
    maxQueue: 2_000,
    async run(items) {
      const answer = await services.transfers.post('/internal/transfers/create-batch', { items }, TransferOrderResults);
      return answer.results;
    },
  });
  app.post(
    '/api/transactions/create',
    {
      schema: {
        tags: ['transfers'],
        summary: 'Send money; the same clientTransactionId again is the same transfer',
        body: CreateTransfer,
        response: { 200: Receipt, 201: Receipt },
      },
    },
    async (request, reply) => {
      const { pin, metadata: _, ...order } = request.body;
      const check = async () => {
        const { user, callerToken } = await sessions.require(request, pin);
        limits.allowTransfer(user.id);
        return callerToken;
      };
      const { created, transaction } = await orderDoor.letThrough(order.clientTransactionId, check, async (caller) => {
        const result = await orders.submit({ caller, order });
        if (!result.ok) throw toFailure(result);
        return result;
      });
      return reply.code(created ? 201 : 200).send({ transaction });
    },
  );
}

function toFailure(result: Extract<TransferOrderResult, { ok: false }>): AppError {
  if (result.closedForMs !== undefined) return new Overloaded(result);
  const { issues, ...details } = result.details as { issues?: { path: string; message: string }[] };
  return new AppError(result.code, result.message, {
    details,
    ...(issues ? { issues } : {}),
    ...(result.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: result.retryAfterSeconds }),
  });
}

function historyRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  const tags = ['transfers'];
  app.get(
    '/api/transactions',
    {
      schema: {
        tags,
        summary: 'Own transfers, newest first',
        querystring: TransactionsQuery,
        response: { 200: z.array(TransactionListItem) },
      },
    },
    async (request, reply) => {
      const { callerToken } = await sessions.require(request);
      const { from, to, ...query } = request.query;
      const moments = { ...query, from: from && dayStart(from), before: to && dayEnd(to) };
      const page = await services.transfers.get(`/internal/transfers?${searchParams(moments)}`, TransferPage, {
        caller: callerToken,
      });
      reply.headers(nextLink('/api/transactions', request.query, page.nextCursor));
      return page.items;
    },
  );
  app.get(
    '/api/transactions/:id',
    { schema: { tags, summary: 'Receipt', params: AnyId, response: { 200: Receipt } } },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      const path = `/internal/transfers/${knownForm(request.params.id, 'Transaction not found')}`;
      return services.transfers.get(path, Receipt, { caller: callerToken });
    },
  );
  app.get(
    '/api/transactions/:id/timeline',
    { schema: { tags, summary: 'What happened so far', params: AnyId, response: { 200: Timeline } } },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      const path = `/internal/transfers/${knownForm(request.params.id, 'Transaction not found')}/timeline`;
      return services.transfers.get(path, Timeline, { caller: callerToken });
    },
  );
}
