import { Ok } from '@vuka/contracts/http/common';
import { TransferSummary } from '@vuka/contracts/http/overview';
import { Quote } from '@vuka/contracts/http/rates';
import { Receipt, SEARCH_HINT, StuckTransactions, Timeline } from '@vuka/contracts/http/transfers';
import { Pricing } from '@vuka/contracts/internal/pricing';
import {
  BookedPayouts,
  type CallbackAnswer,
  CallbackAnswers,
  DepositDone,
  DepositOrder,
  type ProviderCallback,
  ProviderCallbacks,
  QuoteOrder,
  TransferIds,
  TransferItems,
  type TransferOrder,
  type TransferOrderResult,
  TransferOrderResults,
  TransferOrders,
  TransferPage,
  TransfersQuery,
} from '@vuka/contracts/internal/transfers';
import { parseMoney } from '@vuka/money';
import { AppError, Overloaded } from '@vuka/service-kit/app-error';
import { adminOf, callerOf, type HttpApp } from '@vuka/service-kit/http-app';
import { toAppError } from '@vuka/service-kit/http-errors';
import type { Logger } from '@vuka/service-kit/logger';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { type MakeDepositDeps, makeDeposit } from '#deposits/make-deposit.ts';
import { sumPayouts } from '#payouts/payout.store.ts';
import { type ReceiveCallbackDeps, receiveCallback } from '#payouts/receive-callback.ts';
import { createQuote } from '#quotes/create-quote.ts';
import { toQuote } from '#quotes/quote.store.ts';
import { findBankAccountOf } from '#withdrawals/withdrawal.store.ts';
import { type CreateTransferDeps, createTransfer } from './create-transfer.ts';
import { findTransfersOf, getTimeline, getTransferFor, listStuckTransfers, listTransfersOf } from './list-transfers.ts';
import { readSearch, type Search } from './search.domain.ts';
import { createTransferSummary } from './summarise-transfers.ts';
import { toListItem, toReceipt, toStuckItem } from './transfer.view.ts';

export interface TransferRoutesDeps extends CreateTransferDeps, MakeDepositDeps, ReceiveCallbackDeps {
  db: Db;
  tokens: InternalTokens;
  logger: Logger;
  stuckAfterMs: number;
  kickRelay: () => void;
}

const TransferId = z.object({ id: z.uuid({ error: 'Transaction not found' }) });

/** Orders and prices: what merchants do. */
export function orderRoutes(app: HttpApp, deps: TransferRoutesDeps): void {
  app.post(
    '/internal/transfers/create-batch',
    { schema: { body: TransferOrders, response: { 200: TransferOrderResults } } },
    async (request) => ({ results: await Promise.all(request.body.items.map((item) => answerOrder(deps, item))) }),
  );
  app.post('/internal/quotes', { schema: { body: QuoteOrder, response: { 201: Quote } } }, async (request, reply) => {
    const { userId } = callerOf(request, deps.tokens);
    const { direction, sourceAmount } = request.body;
    const quote = await createQuote(deps, { userId, direction, sourceAmount: parseMoney(sourceAmount) });
    return reply.code(201).send(toQuote(quote));
  });
  app.get('/internal/pricing', { schema: { response: { 200: Pricing } } }, () => deps.pricing.current());
  // A change of prices is answered when the next order is priced by it.
  app.post('/internal/pricing/refresh', { schema: { response: { 200: Pricing } } }, () => deps.pricing.latest());
}

async function answerOrder(deps: TransferRoutesDeps, item: TransferOrder): Promise<TransferOrderResult> {
  try {
    const caller = deps.tokens.verifyCaller(item.caller);
    if (!caller) throw new AppError('unauthenticated', 'Please sign in.');
    const { created, transfer } = await createTransfer(deps, item.order, caller);
    return { ok: true, created, transaction: toReceipt(transfer, caller.userId) };
  } catch (error) {
    const failure = toAppError(error);
    if (failure.code === 'internal_error') deps.logger.error({ err: error }, 'an order failed');
    const { code, message, retryAfterSeconds, issues } = failure;
    const details = { ...failure.details, ...(issues ? { issues } : {}) };
    return {
      ok: false,
      code,
      message,
      details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(error instanceof Overloaded && error.closedForMs ? { closedForMs: error.closedForMs } : {}),
    };
  }
}

/** What became of transfers: history, receipt, timeline. */
export function historyRoutes(app: HttpApp, deps: TransferRoutesDeps): void {
  app.get(
    '/internal/transfers',
    { schema: { querystring: TransfersQuery, response: { 200: TransferPage } } },
    async (request) => {
      const { userId } = callerOf(request, deps.tokens);
      const { q, from, before, ...query } = request.query;
      const rows = await listTransfersOf(deps.db, userId, {
        ...query,
        ...(from ? { from: new Date(from) } : {}),
        ...(before ? { before: new Date(before) } : {}),
        ...(q === undefined ? {} : { search: mustRead(q) }),
      });
      const items = rows.slice(0, request.query.limit).map((row) => toListItem(row, userId));
      return { items, nextCursor: rows.length > items.length ? (items.at(-1)?.id ?? null) : null };
    },
  );
  app.post(
    '/internal/transfers/find-batch',
    { schema: { body: TransferIds, response: { 200: TransferItems } } },
    async (request) => {
      const { userId } = callerOf(request, deps.tokens);
      const rows = await findTransfersOf(deps.db, userId, request.body.ids);
      return { items: rows.map((row) => toListItem(row, userId)) };
    },
  );
  app.get(
    '/internal/transfers/:id',
    { schema: { params: TransferId, response: { 200: Receipt } } },
    async (request) => {
      const caller = callerOf(request, deps.tokens);
      const transfer = await getTransferFor(deps.db, request.params.id, caller);
      return { transaction: toReceipt(transfer, caller.userId, await findBankAccountOf(deps.db, transfer)) };
    },
  );
  app.get(
    '/internal/transfers/:id/timeline',
    { schema: { params: TransferId, response: { 200: Timeline } } },
    async (request) => {
      const transfer = await getTransferFor(deps.db, request.params.id, callerOf(request, deps.tokens));
      return getTimeline(deps.db, transfer.id);
    },
  );
}

function mustRead(q: string): Search {
  const search = readSearch(q);
  if (!search) {
    throw new AppError('validation_failed', SEARCH_HINT, { issues: [{ path: 'q', message: SEARCH_HINT }] });
  }
  return search;
}

/** What administrators and providers do. */
export function operationRoutes(app: HttpApp, deps: TransferRoutesDeps): void {
  const summarise = createTransferSummary(deps);
  app.get('/internal/transfer-summary', { schema: { response: { 200: TransferSummary } } }, (request) => {
    adminOf(request, deps.tokens);
    return summarise();
  });
  app.get('/internal/payout-totals', { schema: { response: { 200: BookedPayouts } } }, async (request) => {
    adminOf(request, deps.tokens);
    return { totals: await sumPayouts(deps.db, deps.provider.id) };
  });
  app.get('/internal/stuck-transfers', { schema: { response: { 200: StuckTransactions } } }, async (request) => {
    adminOf(request, deps.tokens);
    const stuck = await listStuckTransfers(deps.db, new Date(deps.now().getTime() - deps.stuckAfterMs));
    return { stuckTransactions: stuck.map((transfer) => ({ transaction: toStuckItem(transfer) })) };
  });
  // Asked before a deposit is entered anywhere, so that one which cannot be made now is refused with nothing to be undone.
  app.get('/internal/deposits/possible', { schema: { response: { 200: Ok } } }, async () => {
    await deps.wallet.mustBeReady();
    return { ok: true as const };
  });
  app.post(
    '/internal/deposits',
    { schema: { body: DepositOrder, response: { 201: DepositDone } } },
    async (request, reply) => {
      adminOf(request, deps.tokens);
      const deposit = await makeDeposit(deps, request.body);
      return reply.code(201).send({ transactionId: deposit.id });
    },
  );
  app.post(
    '/internal/provider-callbacks-batch',
    { schema: { body: ProviderCallbacks, response: { 200: CallbackAnswers } } },
    async (request) => ({ results: await Promise.all(request.body.items.map((item) => answerCallback(deps, item))) }),
  );
}

/** One callback that cannot be written now is asked for again, without the others. */
async function answerCallback(deps: TransferRoutesDeps, callback: ProviderCallback): Promise<CallbackAnswer> {
  try {
    return await receiveCallback(deps, callback);
  } catch (error) {
    deps.logger.error({ err: error }, 'a callback could not be written');
    return { status: 503 };
  }
}
