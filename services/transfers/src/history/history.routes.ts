import { adminOf, callerOf } from '@vuka/access/caller';
import { TransferSummary } from '@vuka/contracts/http/overview';
import { Receipt, Timeline } from '@vuka/contracts/http/transfers';
import {
  TransferIds,
  TransferItems,
  TransferPage,
  TransfersQuery,
  UserVolumes,
} from '@vuka/contracts/internal/transfers';
import { reason } from '@vuka/contracts/texts/reason';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { cutPage } from '@vuka/service-kit/page';
import * as z from 'zod/mini';
import { findBankAccountOf } from '#withdrawals/withdrawal.store.ts';
import {
  findTransfersOf,
  getTimeline,
  getTransferFor,
  listTransfersOf,
  type TransferReader,
} from './list-transfers.ts';
import { readSearch, type Search } from './search.domain.ts';
import { sumVolumesOf } from './sum-volumes.ts';
import { createTransferSummary, type SummaryDeps } from './summarise-transfers.ts';
import { toListItem, toReceipt } from './transfer.view.ts';

export interface HistoryRoutesDeps extends SummaryDeps, TransferReader {}

const TransferId = z.object({ id: z.uuid({ error: reason('transaction_not_found') }) });
const UserId = z.object({ userId: z.uuid({ error: reason('merchant_not_found') }) });
/** The number of latest transfers on a merchant's page in the admin area. */
const RECENT = 10;

/** Transfer history, receipts and timelines; for administrators the latest transfers and the volumes of one merchant. */
export function historyRoutes(app: HttpApp, deps: HistoryRoutesDeps): void {
  const summarise = createTransferSummary(deps);
  app.get('/internal/transfer-summary', { schema: { response: { 200: TransferSummary } } }, (request) => {
    adminOf(request, 'overview.read');
    return summarise();
  });
  app.get(
    '/internal/transfers',
    { schema: { querystring: TransfersQuery, response: { 200: TransferPage } } },
    async (request) => {
      const { userId } = callerOf(request);
      const { q, from, before, ...query } = request.query;
      const found = await listTransfersOf(deps.db, userId, {
        ...query,
        ...(from ? { from: new Date(from) } : {}),
        ...(before ? { before: new Date(before) } : {}),
        ...(q === undefined ? {} : { search: mustRead(q) }),
      });
      const { rows, nextCursor } = cutPage(found, query.limit, ({ id }) => id);
      return { items: rows.map((row) => toListItem(row, userId)), nextCursor };
    },
  );
  app.get(
    '/internal/users/:userId/recent-transfers',
    { schema: { params: UserId, response: { 200: TransferItems } } },
    async (request) => {
      adminOf(request, 'merchants.read');
      const { userId } = request.params;
      const rows = await listTransfersOf(deps.db, userId, { limit: RECENT });
      return { items: rows.slice(0, RECENT).map((row) => toListItem(row, userId)) };
    },
  );
  app.get(
    '/internal/users/:userId/volumes',
    { schema: { params: UserId, response: { 200: UserVolumes } } },
    async (request) => {
      adminOf(request, 'merchants.read');
      return { days: await sumVolumesOf(deps.db, request.params.userId, deps.now().getTime()) };
    },
  );
  app.post(
    '/internal/transfers/find-batch',
    { schema: { body: TransferIds, response: { 200: TransferItems } } },
    async (request) => {
      const { userId } = callerOf(request);
      const rows = await findTransfersOf(deps.db, userId, request.body.ids);
      return { items: rows.map((row) => toListItem(row, userId)) };
    },
  );
  app.get(
    '/internal/transfers/:id',
    { schema: { params: TransferId, response: { 200: Receipt } } },
    async (request) => {
      const caller = callerOf(request);
      const transfer = await getTransferFor(deps, request.params.id, caller);
      return { transaction: toReceipt(transfer, caller.userId, await findBankAccountOf(deps.db, transfer)) };
    },
  );
  app.get(
    '/internal/transfers/:id/timeline',
    { schema: { params: TransferId, response: { 200: Timeline } } },
    async (request) => {
      const transfer = await getTransferFor(deps, request.params.id, callerOf(request));
      return getTimeline(deps.db, transfer.id);
    },
  );
}

function mustRead(q: string): Search {
  const search = readSearch(q);
  if (!search) throw new AppError('search_impossible', { field: 'q' });
  return search;
}
