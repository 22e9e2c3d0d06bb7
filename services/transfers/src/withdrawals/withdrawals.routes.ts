import { adminOf, type Caller, callerOf, confirmedAdminOf, decidingAdminOf } from '@vuka/access/caller';
import {
  type AdminWithdrawal,
  AdminWithdrawals,
  AdminWithdrawalsQuery,
  WithdrawalPrice,
  WithdrawalPriceQuery,
  Withdrawals,
  WithdrawalsQuery,
} from '@vuka/contracts/http/withdrawals';
import {
  WithdrawalDecided,
  WithdrawalDecision,
  WithdrawalOrder,
  WithdrawalOrdered,
  WithdrawalTaken,
} from '@vuka/contracts/internal/withdrawals';
import { parseMoney } from '@vuka/money';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { cutPage } from '@vuka/service-kit/page';
import { getLinkedAccount } from '#linked-accounts/linked-account.store.ts';
import type { SagaDeps } from '#saga/step.ts';
import { type CreateWithdrawalDeps, createWithdrawal, priceWithdrawal } from './create-withdrawal.ts';
import { decideWithdrawal } from './decide-withdrawal.ts';
import { type TakeDeps, takeWithdrawal } from './take-withdrawal.ts';
import { findWithdrawals, type WithdrawalRow } from './withdrawal.store.ts';
import { toAdminWithdrawals, toWithdrawal } from './withdrawal.view.ts';

export type WithdrawalRoutesDeps = CreateWithdrawalDeps & SagaDeps & TakeDeps;

export function withdrawalRoutes(app: HttpApp, deps: WithdrawalRoutesDeps): void {
  merchantRoutes(app, deps);
  adminRoutes(app, deps);
}

function merchantRoutes(app: HttpApp, deps: WithdrawalRoutesDeps): void {
  app.get(
    '/internal/withdrawals/price',
    { schema: { querystring: WithdrawalPriceQuery, response: { 200: WithdrawalPrice } } },
    async (request) => {
      const { userId } = callerOf(request);
      const account = await getLinkedAccount(deps.db, userId, request.query.linkedAccountId);
      return priceWithdrawal(deps, account, parseMoney(request.query.amount));
    },
  );
  app.post(
    '/internal/withdrawals',
    { schema: { body: WithdrawalOrder, response: { 200: WithdrawalOrdered } } },
    async (request) => {
      const caller = callerOf(request);
      const { created, transfer } = await createWithdrawal(deps, request.body, caller);
      return { created, withdrawal: toWithdrawal(await getRow(deps, transfer.id)) };
    },
  );
  app.get(
    '/internal/withdrawals',
    { schema: { querystring: WithdrawalsQuery, response: { 200: Withdrawals } } },
    async (request) => {
      const { userId } = callerOf(request);
      const found = await findWithdrawals(deps.db, { ...request.query, userId });
      const { rows, nextCursor } = cutPage(found, request.query.limit, idOf);
      return { withdrawals: rows.map(toWithdrawal), nextCursor };
    },
  );
}

function adminRoutes(app: HttpApp, deps: WithdrawalRoutesDeps): void {
  app.get(
    '/internal/admin-withdrawals',
    { schema: { querystring: AdminWithdrawalsQuery, response: { 200: AdminWithdrawals } } },
    async (request) => {
      const admin = adminOf(request, 'withdrawals.read');
      // Open withdrawals oldest first; closed ones newest first.
      const isOldestFirst = ['awaiting_approval', 'pending'].includes(request.query.status ?? '');
      const found = await findWithdrawals(deps.db, { ...request.query, isOldestFirst });
      const { rows, nextCursor } = cutPage(found, request.query.limit, idOf);
      const view = { admin, epoch: await deps.books.renew(), bankLagMs: deps.bankLagMs };
      return { withdrawals: await toAdminWithdrawals(deps.db, rows, view), nextCursor };
    },
  );
  app.post(
    '/internal/withdrawals/decide',
    { schema: { body: WithdrawalDecision, response: { 200: WithdrawalDecided } } },
    async (request) => {
      const admin = decidingAdminOf(request, 'withdrawals.decide');
      const { id } = await decideWithdrawal(deps, request.body, admin);
      return { withdrawal: await viewFor(deps, id, admin) };
    },
  );
  app.post(
    '/internal/withdrawals/take',
    { schema: { body: WithdrawalTaken, response: { 200: WithdrawalDecided } } },
    async (request) => {
      // From then on only they can record the outcome, for days.
      const admin = confirmedAdminOf(request, 'withdrawals.decide');
      await takeWithdrawal(deps, request.body, admin);
      return { withdrawal: await viewFor(deps, request.body.id, admin) };
    },
  );
}

async function viewFor(deps: WithdrawalRoutesDeps, id: string, admin: Caller): Promise<AdminWithdrawal> {
  const view = { admin, epoch: await deps.books.epoch(), bankLagMs: deps.bankLagMs };
  const [withdrawal] = await toAdminWithdrawals(deps.db, [await getRow(deps, id)], view);
  if (!withdrawal) throw new Error('the decided withdrawal cannot be found');
  return withdrawal;
}

async function getRow(deps: WithdrawalRoutesDeps, id: string): Promise<WithdrawalRow> {
  const [row] = await findWithdrawals(deps.db, { id, limit: 1 });
  if (!row) throw new Error('the accepted withdrawal cannot be found');
  return row;
}

const idOf = (row: WithdrawalRow) => row.transaction_id;
