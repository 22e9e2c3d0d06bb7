import { adminOf, confirmedAdminOf, decidingAdminOf } from '@vuka/access/caller';
import type { RoleNow } from '@vuka/access/requesters';
import {
  CreditBalanceRequest,
  LargeCreditAnswer,
  LargeCredits,
  LargeCreditsQuery,
  RECENT_CREDITS,
  RecentCredits,
} from '@vuka/contracts/http/credits';
import { CreditTaken } from '@vuka/contracts/internal/admin';
import { DecisionRequest } from '@vuka/contracts/internal/decisions';
import { AccountHolder } from '@vuka/contracts/internal/identity';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import * as z from 'zod/mini';
import { listLargeCredits, toLargeCredit } from '#register/large-credit.store.ts';
import { type DepositDeps, MOVES, registerDeposit } from '#register/register-deposit.ts';
import { decideCredit } from './decide-credit.ts';

export interface CreditRoutesDeps extends DepositDeps {
  roleNow: RoleNow;
  identity: ServiceClient;
}

const CreditBody = z.extend(z.omit(CreditBalanceRequest, { pin: true }), { key: z.optional(z.string()) });

export function creditRoutes(app: HttpApp, deps: CreditRoutesDeps): void {
  app.post(
    '/internal/credits',
    { schema: { body: CreditBody, response: { 201: CreditTaken } } },
    async (request, reply) => {
      const caller = confirmedAdminOf(request, 'credits.make');
      const { key, merchantId, amount, currency } = request.body;
      const holder = await deps.identity.get(`/internal/account-holders/${merchantId}`, AccountHolder);
      const credit = await registerDeposit(deps, {
        key,
        kind: 'credit',
        caller,
        beneficiary: { userId: holder.userId, id: merchantId, name: holder.fullName },
        amount,
        currency,
        reason: `Credit to ${merchantId}`,
      });
      // A repeated key gets the original result, whatever the limit is now.
      if (credit.approval !== 'not_needed') {
        return reply.code(201).send({ kind: 'waiting', credit: toLargeCredit(credit, caller.userId) });
      }
      const done = { amount: credit.amount, currency, transactionId: credit.transaction_id ?? '', merchantId };
      return reply.code(201).send({ kind: 'credited', credit: done });
    },
  );
  app.get('/internal/credits/recent', { schema: { response: { 200: RecentCredits } } }, async (request) => {
    adminOf(request, 'credits.read');
    return listRecentCredits(deps.db);
  });
  app.get(
    '/internal/large-credits',
    { schema: { querystring: LargeCreditsQuery, response: { 200: LargeCredits } } },
    (request) => {
      const { userId } = adminOf(request, 'credits.read');
      return listLargeCredits(deps.db, request.query, userId);
    },
  );
  app.post(
    '/internal/large-credits/decide',
    { schema: { body: DecisionRequest, response: { 200: LargeCreditAnswer } } },
    async (request) => {
      const caller = decidingAdminOf(request, 'credits.decide');
      return { credit: toLargeCredit(await decideCredit(deps, request.body, caller), caller.userId) };
    },
  );
}

async function listRecentCredits(db: DepositDeps['db']): Promise<RecentCredits> {
  const rows = await db
    .selectFrom('admin_deposits')
    .selectAll()
    .where('kind', '=', 'credit')
    .where('approval', 'in', MOVES)
    // Without those whose account was closed before the money moved.
    .where((row) => row.or([row('transaction_id', 'is not', null), row('ended_at', 'is', null)]))
    .orderBy('id', 'desc')
    .limit(RECENT_CREDITS)
    .execute();
  return {
    credits: rows.map((row) => ({
      id: row.id,
      createdAt: row.created_at.toISOString(),
      amount: row.amount,
      currency: row.currency,
      merchantId: row.beneficiary_id,
      merchantName: row.beneficiary_name ?? '',
      madeBy: row.admin_name ?? row.admin_id,
      transactionId: row.transaction_id,
    })),
  };
}
