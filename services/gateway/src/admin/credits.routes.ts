import { CreditBalanceRequest, CreditBalanceResult } from '@vuka/contracts/http/admin';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { LargeCreditAnswer, LargeCredits, LargeCreditsQuery, RefuseCredit } from '@vuka/contracts/http/credits';
import { CreditTaken } from '@vuka/contracts/internal/admin';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import { ADMIN_TAG } from '#access/admin-guard.ts';
import type { ApiDeps } from '#api/api-deps.ts';
import { IdempotencyKey } from '#api/idempotency-key.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { searchParams } from '#api/search-params.ts';

const tags = [ADMIN_TAG];

/** Money for merchants: small amounts at once, large ones when a second administrator agrees. */
export function creditRoutes(app: HttpApp, deps: ApiDeps): void {
  orderRoute(app, deps);
  decisionRoutes(app, deps);
}

function orderRoute(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.post(
    '/api/admin/credit-balance',
    {
      schema: {
        tags,
        summary: 'Credit an account; 202 above the approval limit, where another administrator has to agree',
        body: CreditBalanceRequest,
        headers: IdempotencyKey,
        response: { 201: CreditBalanceResult, 202: LargeCreditAnswer },
      },
    },
    async (request, reply) => {
      const { callerToken: caller } = await sessions.requireAdmin(request);
      const body = { ...request.body, key: request.headers['idempotency-key'] };
      const taken = await services.admin.post('/internal/credits', body, CreditTaken, { caller });
      return taken.kind === 'credited'
        ? reply.code(201).send(taken.credit)
        : reply.code(202).send({ credit: taken.credit });
    },
  );
}

function decisionRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/credits',
    {
      schema: {
        tags,
        summary: 'Credits above the approval limit: those that wait oldest first, the rest newest first',
        querystring: LargeCreditsQuery,
        response: { 200: LargeCredits },
      },
    },
    async (request) => {
      const { callerToken: caller } = await sessions.requireAdmin(request);
      return services.admin.get(`/internal/large-credits?${searchParams(request.query)}`, LargeCredits, { caller });
    },
  );
  interface Decision {
    kind: 'approve' | 'refuse';
    pin: string;
  }
  async function decide(request: FastifyRequest, id: string, { pin, ...decision }: Decision) {
    const { callerToken: caller } = await sessions.requireAdmin(request, pin);
    knownForm(id, 'Credit not found');
    return services.admin.post('/internal/large-credits/decide', { id, decision }, LargeCreditAnswer, { caller });
  }
  const response = { 200: LargeCreditAnswer };
  app.post(
    '/api/admin/credits/:id/approve',
    { schema: { tags, summary: 'Agree to a credit', params: AnyId, body: PinConfirmation, response } },
    (request) => decide(request, request.params.id, { kind: 'approve', ...request.body }),
  );
  app.post(
    '/api/admin/credits/:id/refuse',
    { schema: { tags, summary: 'Refuse a credit', params: AnyId, body: RefuseCredit, response } },
    (request) => decide(request, request.params.id, { kind: 'refuse', ...request.body }),
  );
}
