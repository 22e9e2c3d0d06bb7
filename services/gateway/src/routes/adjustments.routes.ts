import { AdjustmentAnswer, AdjustmentRequest } from '@vuka/contracts/http/adjustments';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { IdempotencyKey } from '#api/idempotency-key.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

/** Requests for adjusting journals; `approvals.routes.ts` has the decisions on them. */
export function adjustmentRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.post(
    '/api/admin/adjustments',
    {
      schema: {
        tags: [ADMIN_TAG],
        summary:
          "Request an adjusting journal between the operator's accounts: a top-up of the float, a provider's fee, a " +
          'loss or a correction. 202 until another administrator has decided; 201 for the only administrator',
        body: AdjustmentRequest,
        headers: IdempotencyKey,
        response: { 201: AdjustmentAnswer, 202: AdjustmentAnswer },
      },
    },
    async (request, reply) => {
      const { pin, ...adjustment } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const body = { ...adjustment, key: request.headers['idempotency-key'] };
      const answer = await services.admin.post('/internal/adjustments', body, AdjustmentAnswer, { caller });
      return reply.code(answer.adjustment.status === 'approved' ? 201 : 202).send(answer);
    },
  );
}
