import { LargeCreditAnswer } from '@vuka/contracts/http/credits';
import { AdminDepositRequest, AdminDepositResult, AdminDeposits } from '@vuka/contracts/http/deposits';
import { DepositTaken } from '@vuka/contracts/internal/admin';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { IdempotencyKey } from '#api/idempotency-key.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** Administrators' deposits into their own account. */
export function depositRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.post(
    '/api/admin/deposit',
    {
      schema: {
        tags,
        summary:
          "Deposit to the administrator's own account. 202 if they credit and deposit more than the approval limit " +
          'in 24 hours: another one has to approve, unless there is none',
        body: AdminDepositRequest,
        headers: IdempotencyKey,
        response: { 201: AdminDepositResult, 202: LargeCreditAnswer },
      },
    },
    async (request, reply) => {
      const { pin, ...deposit } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const body = { ...deposit, key: request.headers['idempotency-key'] };
      const taken = await services.admin.post('/internal/deposits', body, DepositTaken, { caller });
      return 'credit' in taken ? reply.code(202).send(taken) : reply.code(201).send(taken);
    },
  );
  app.get('/api/admin/deposits', { schema: { tags, response: { 200: AdminDeposits } } }, async (request) => {
    const { caller } = await sessions.requireAdmin(request);
    return services.admin.get('/internal/deposits', AdminDeposits, { caller });
  });
}
