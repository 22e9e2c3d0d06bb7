import { Ok, PinConfirmation } from '@vuka/contracts/http/common';
import { AddFee, Fee, FeeAddress, Fees } from '@vuka/contracts/http/fees';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { afterPriceChange } from '#api/after-price-change.ts';
import type { ApiDeps } from '#api/api-deps.ts';
import { IdempotencyKey } from '#api/idempotency-key.ts';
import { AnyId } from '#api/ids.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** The fees of transactions. */
export function feeRoutes(app: HttpApp, deps: ApiDeps): void {
  const { sessions, services } = deps;
  app.get('/api/admin/fees', { schema: { tags, response: { 200: Fees } } }, async (request) => {
    const { caller } = await sessions.requireAdmin(request);
    return services.rates.get('/internal/fees', Fees, { caller });
  });
  app.post(
    '/api/admin/fees',
    { schema: { tags, body: AddFee, headers: IdempotencyKey, response: { 201: Fee } } },
    async (request, reply) => {
      const { pin, ...fee } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const change = services.rates.post('/internal/fees', fee, Fee, {
        caller,
        key: request.headers['idempotency-key'],
      });
      return reply.code(201).send(await afterPriceChange(deps, request, change));
    },
  );
  app.post(
    '/api/admin/fees/:id/remove',
    { schema: { tags, params: AnyId, body: PinConfirmation, response: { 200: Ok } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request, request.body.pin);
      if (!FeeAddress.safeParse(request.params).success) throw new AppError('fee_not_found');
      const change = services.rates.post('/internal/fees/remove', request.params, Ok, { caller });
      return afterPriceChange(deps, request, change);
    },
  );
}
