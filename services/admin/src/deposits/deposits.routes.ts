import {
  AdminDepositRequest,
  AdminDepositResult,
  AdminDeposits,
  CreditBalanceRequest,
  CreditBalanceResult,
} from '@vuka/contracts/http/admin';
import { DEPOSIT_DAYS } from '@vuka/contracts/http/overview';
import { DepositCount } from '@vuka/contracts/internal/admin';
import { AccountHolder } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import { adminOf, type HttpApp } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import * as z from 'zod/mini';
import { type DepositDeps, registerDeposit } from './register-deposit.ts';

export interface DepositRoutesDeps extends DepositDeps {
  identity: ServiceClient;
}

const Key = z.object({ key: z.optional(z.string()) });
const DepositBody = z.extend(z.omit(AdminDepositRequest, { pin: true }), Key.shape);
const CreditBody = z.extend(CreditBalanceRequest, Key.shape);
const LIST_LIMIT = 500;

export function depositRoutes(app: HttpApp, deps: DepositRoutesDeps): void {
  app.post(
    '/internal/deposits',
    { schema: { body: DepositBody, response: { 201: AdminDepositResult } } },
    async (request, reply) => {
      const caller = adminOf(request, deps.tokens);
      if (!caller.pinVerified) throw new AppError('invalid_pin', 'Invalid PIN');
      const { key, amount, currency, reason } = request.body;
      const beneficiary = { userId: caller.userId, id: caller.adminId ?? caller.userId };
      const done = await registerDeposit(deps, { key, kind: 'deposit', caller, beneficiary, amount, currency, reason });
      return reply.code(201).send({
        amount: done.amount,
        currency: done.currency,
        reference: done.reference,
        transactionId: done.transaction_id ?? '',
      });
    },
  );
  app.get('/internal/deposits', { schema: { response: { 200: AdminDeposits } } }, async (request) => {
    adminOf(request, deps.tokens);
    const rows = await deps.db
      .selectFrom('admin_deposits')
      .selectAll()
      .where('kind', '=', 'deposit')
      .orderBy('created_at', 'desc')
      .limit(LIST_LIMIT)
      .execute();
    return {
      deposits: rows.map(({ id, created_at, amount, currency, reason, reference }) => ({
        id,
        created_at: created_at.toISOString(),
        amount,
        currency,
        reason,
        reference,
      })),
    };
  });
  app.get('/internal/deposits/recent-count', { schema: { response: { 200: DepositCount } } }, async (request) => {
    adminOf(request, deps.tokens);
    const { count } = await deps.db
      .selectFrom('admin_deposits')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('kind', '=', 'deposit')
      .where('created_at', '>=', new Date(deps.now().getTime() - DEPOSIT_DAYS * 86_400_000))
      .executeTakeFirstOrThrow();
    return { count: Number(count), days: DEPOSIT_DAYS };
  });
  app.post(
    '/internal/credits',
    { schema: { body: CreditBody, response: { 201: CreditBalanceResult } } },
    async (request, reply) => {
      const caller = adminOf(request, deps.tokens);
      const { key, merchantId, amount, currency } = request.body;
      const holder = await deps.identity.get(`/internal/account-holders/${merchantId}`, AccountHolder);
      const done = await registerDeposit(deps, {
        key,
        kind: 'credit',
        caller,
        beneficiary: { userId: holder.userId, id: merchantId },
        amount,
        currency,
        reason: `Credit to ${merchantId}`,
      });
      return reply
        .code(201)
        .send({ amount: done.amount, currency, transactionId: done.transaction_id ?? '', merchantId });
    },
  );
}
