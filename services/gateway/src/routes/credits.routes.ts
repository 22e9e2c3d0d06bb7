import {
  CreditBalanceRequest,
  CreditBalanceResult,
  LargeCreditAnswer,
  RecentCredits,
} from '@vuka/contracts/http/credits';
import { CreditTaken } from '@vuka/contracts/internal/admin';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { IdempotencyKey } from '#api/idempotency-key.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** Money for merchants: small amounts at once, large ones after a second administrator approves. */
export function creditRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/credits/recent',
    { schema: { tags, summary: 'The last credits to wallets', response: { 200: RecentCredits } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.admin.get('/internal/credits/recent', RecentCredits, { caller });
    },
  );
  app.post(
    '/api/admin/credit-balance',
    {
      schema: {
        tags,
        summary:
          'Credit an account. 202 if the administrator credits and deposits more than the approval limit in 24 hours: ' +
          'another one has to approve. The only administrator gets 403 pin_required instead, and repeats the call ' +
          'with the PIN',
        body: CreditBalanceRequest,
        headers: IdempotencyKey,
        response: { 201: CreditBalanceResult, 202: LargeCreditAnswer },
      },
    },
    async (request, reply) => {
      const { pin, ...credit } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const body = { ...credit, key: request.headers['idempotency-key'] };
      const taken = await services.admin.post('/internal/credits', body, CreditTaken, { caller });
      return taken.kind === 'credited'
        ? reply.code(201).send(taken.credit)
        : reply.code(202).send({ credit: taken.credit });
    },
  );
}
