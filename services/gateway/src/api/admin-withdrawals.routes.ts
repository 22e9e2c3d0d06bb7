import { Ok } from '@vuka/contracts/http/common';
import { Fee, FeeAddress, Fees, NewFee } from '@vuka/contracts/http/fees';
import {
  AdminWithdrawals,
  AdminWithdrawalsQuery,
  CompleteWithdrawal,
  RefuseWithdrawal,
} from '@vuka/contracts/http/withdrawals';
import { WithdrawalDecided } from '@vuka/contracts/internal/withdrawals';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { ApiDeps } from './api-deps.ts';
import { searchParams } from './search-params.ts';

const AnyId = z.object({ id: z.string().check(z.maxLength(100)) });
const tags = ['admin'];

/** Withdrawals that wait for a person, and what transactions cost. */
export function adminWithdrawalRoutes(app: HttpApp, deps: ApiDeps): void {
  decisionRoutes(app, deps);
  feeRoutes(app, deps);
}

function decisionRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/withdrawals',
    { schema: { tags, querystring: AdminWithdrawalsQuery, response: { 200: AdminWithdrawals } } },
    async (request) => {
      const { callerToken } = await sessions.requireAdmin(request);
      const path = `/internal/admin-withdrawals?${searchParams(request.query)}`;
      return services.transfers.get(path, AdminWithdrawals, { caller: callerToken });
    },
  );
  const response = { 200: WithdrawalDecided };
  async function decide(request: FastifyRequest, id: string, decision: { kind: string }) {
    const { callerToken } = await sessions.requireAdmin(request);
    if (!z.uuid().safeParse(id).success) throw new AppError('not_found', 'Withdrawal not found');
    const path = '/internal/withdrawals/decide';
    return services.transfers.post(path, { id, decision }, WithdrawalDecided, { caller: callerToken });
  }
  app.post('/api/admin/withdrawals/:id/approve', { schema: { tags, params: AnyId, response } }, (request) =>
    decide(request, request.params.id, { kind: 'approve' }),
  );
  for (const kind of ['refuse', 'fail'] as const) {
    app.post(
      `/api/admin/withdrawals/:id/${kind}`,
      { schema: { tags, params: AnyId, body: RefuseWithdrawal, response } },
      (request) => decide(request, request.params.id, { kind, ...request.body }),
    );
  }
  app.post(
    '/api/admin/withdrawals/:id/complete',
    { schema: { tags, params: AnyId, body: CompleteWithdrawal, response } },
    (request) => decide(request, request.params.id, { kind: 'complete', ...request.body }),
  );
}

function feeRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get('/api/admin/fees', { schema: { tags, response: { 200: Fees } } }, async (request) => {
    const { callerToken } = await sessions.requireAdmin(request);
    return services.rates.get('/internal/fees', Fees, { caller: callerToken });
  });
  app.post('/api/admin/fees', { schema: { tags, body: NewFee, response: { 201: Fee } } }, async (request, reply) => {
    const { callerToken } = await sessions.requireAdmin(request);
    return reply
      .code(201)
      .send(await services.rates.post('/internal/fees', request.body, Fee, { caller: callerToken }));
  });
  app.delete('/api/admin/fees/:id', { schema: { tags, params: AnyId, response: { 200: Ok } } }, async (request) => {
    const { callerToken } = await sessions.requireAdmin(request);
    if (!FeeAddress.safeParse(request.params).success) throw new AppError('not_found', 'Fee not found');
    return services.rates.post('/internal/fees/remove', request.params, Ok, { caller: callerToken });
  });
}
