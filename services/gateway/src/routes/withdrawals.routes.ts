import { PinConfirmation } from '@vuka/contracts/http/common';
import {
  AdminWithdrawals,
  AdminWithdrawalsQuery,
  CompleteWithdrawal,
  CreatedWithdrawal,
  CreateWithdrawal,
  RefuseWithdrawal,
  TakeWithdrawal,
  WithdrawalPrice,
  WithdrawalPriceQuery,
  Withdrawals,
  WithdrawalsQuery,
} from '@vuka/contracts/http/withdrawals';
import { WithdrawalDecided, WithdrawalOrdered } from '@vuka/contracts/internal/withdrawals';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { searchParams } from '#api/search-params.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

/** Withdrawals: orders of merchants, and decisions of administrators. */
export function withdrawalRoutes(app: HttpApp, deps: ApiDeps): void {
  orderRoutes(app, deps);
  decisionRoutes(app, deps);
}

function orderRoutes(app: HttpApp, { sessions, services, limits, orderGate }: ApiDeps): void {
  const tags = ['withdrawals'];
  app.get(
    '/api/withdrawals/price',
    {
      schema: {
        tags,
        summary: 'The current price of a withdrawal',
        querystring: WithdrawalPriceQuery,
        response: { 200: WithdrawalPrice },
      },
    },
    async (request) => {
      const { caller } = await sessions.require(request);
      const path = `/internal/withdrawals/price?${searchParams(request.query)}`;
      return services.transfers.get(path, WithdrawalPrice, { caller });
    },
  );
  app.post(
    '/api/withdrawals',
    {
      schema: {
        tags,
        summary: 'Withdraw money; a repeated clientTransactionId is the same withdrawal',
        body: CreateWithdrawal,
        response: { 200: CreatedWithdrawal, 201: CreatedWithdrawal },
      },
    },
    async (request, reply) => {
      const { pin, ...order } = request.body;
      const check = async () => {
        const { user, caller } = await sessions.require(request, pin);
        limits.allowTransfer(user.id);
        return caller;
      };
      const { created, withdrawal } = await orderGate.letThrough(order.clientTransactionId, check, (caller) =>
        services.transfers.post('/internal/withdrawals', order, WithdrawalOrdered, { caller }),
      );
      return reply.code(created ? 201 : 200).send({ withdrawal });
    },
  );
  app.get(
    '/api/withdrawals',
    {
      schema: {
        tags,
        summary: "The user's own withdrawals, newest first",
        querystring: WithdrawalsQuery,
        response: { 200: Withdrawals },
      },
    },
    async (request) => {
      const { caller } = await sessions.require(request);
      const path = `/internal/withdrawals?${searchParams(request.query)}`;
      return services.transfers.get(path, Withdrawals, { caller });
    },
  );
}

function decisionRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  const tags = [ADMIN_TAG];
  app.get(
    '/api/admin/withdrawals',
    { schema: { tags, querystring: AdminWithdrawalsQuery, response: { 200: AdminWithdrawals } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/admin-withdrawals?${searchParams(request.query)}`;
      return services.transfers.get(path, AdminWithdrawals, { caller });
    },
  );
  const response = { 200: WithdrawalDecided };
  interface Decision {
    kind: string;
    pin: string;
  }
  async function decide(request: FastifyRequest, id: string, { pin, ...decision }: Decision) {
    const { caller } = await sessions.requireAdmin(request, pin);
    const order = { id: knownForm(id, 'withdrawal_not_found'), decision };
    return services.transfers.post('/internal/withdrawals/decide', order, WithdrawalDecided, { caller });
  }
  app.post(
    '/api/admin/withdrawals/:id/take',
    {
      schema: {
        tags,
        summary: 'Say that you are paying it by hand',
        params: AnyId,
        body: TakeWithdrawal,
        response,
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const id = knownForm(request.params.id, 'withdrawal_not_found');
      return services.transfers.post('/internal/withdrawals/take', { ...request.body, id }, WithdrawalDecided, {
        caller,
      });
    },
  );
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
