import { Ok, PinConfirmation } from '@vuka/contracts/http/common';
import { AddFee, Fee, FeeAddress, Fees } from '@vuka/contracts/http/fees';
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
import { ADMIN_TAG } from '#access/admin-guard.ts';
import { afterPriceChange } from './after-price-change.ts';
import type { ApiDeps } from './api-deps.ts';
import { AnyId, knownForm } from './ids.ts';
import { searchParams } from './search-params.ts';

const tags = [ADMIN_TAG];

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
  interface Decision {
    kind: string;
    pin: string;
  }
  async function decide(request: FastifyRequest, id: string, { pin, ...decision }: Decision) {
    const { callerToken } = await sessions.requireAdmin(request, pin);
    knownForm(id, 'Withdrawal not found');
    const path = '/internal/withdrawals/decide';
    return services.transfers.post(path, { id, decision }, WithdrawalDecided, { caller: callerToken });
  }
  app.post(
    '/api/admin/withdrawals/:id/approve',
    { schema: { tags, params: AnyId, body: PinConfirmation, response } },
    (request) => decide(request, request.params.id, { kind: 'approve', ...request.body }),
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

function feeRoutes(app: HttpApp, deps: ApiDeps): void {
  const { sessions, services } = deps;
  app.get('/api/admin/fees', { schema: { tags, response: { 200: Fees } } }, async (request) => {
    const { callerToken } = await sessions.requireAdmin(request);
    return services.rates.get('/internal/fees', Fees, { caller: callerToken });
  });
  app.post('/api/admin/fees', { schema: { tags, body: AddFee, response: { 201: Fee } } }, async (request, reply) => {
    const { pin, ...fee } = request.body;
    const { callerToken } = await sessions.requireAdmin(request, pin);
    const change = services.rates.post('/internal/fees', fee, Fee, { caller: callerToken });
    return reply.code(201).send(await afterPriceChange(deps, request, change));
  });
  app.post(
    '/api/admin/fees/:id/remove',
    { schema: { tags, params: AnyId, body: PinConfirmation, response: { 200: Ok } } },
    async (request) => {
      const { callerToken } = await sessions.requireAdmin(request, request.body.pin);
      if (!FeeAddress.safeParse(request.params).success) throw new AppError('not_found', 'Fee not found');
      const change = services.rates.post('/internal/fees/remove', request.params, Ok, { caller: callerToken });
      return afterPriceChange(deps, request, change);
    },
  );
}
