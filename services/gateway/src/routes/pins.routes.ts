import { Ok } from '@vuka/contracts/http/common';
import { StepUp } from '@vuka/contracts/http/second-factors';
import { ChangePinRequest } from '@vuka/contracts/http/users';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { idempotencyKeyOf } from '@vuka/service-kit/idempotency-key';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { IdempotencyKey } from '#api/idempotency-key.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';
import type { Signed } from '#guards/sessions.ts';

const tags = [ADMIN_TAG];

/** The user's own PIN: changing it and, for administrators, entering it again (step-up). */
export function pinRoutes(app: HttpApp, { sessions, services, limits }: ApiDeps): void {
  function changePin(request: FastifyRequest, signed: Signed) {
    limits.allowPinChange(signed.user.id);
    const change = { ...(request.body as z.infer<typeof ChangePinRequest>), token: signed.sessionToken };
    const { caller } = signed;
    return services.identity.post('/internal/change-pin', change, Ok, { caller, key: idempotencyKeyOf(request) });
  }

  app.post(
    '/api/change-pin',
    {
      schema: {
        tags: ['account'],
        summary: 'Change the own PIN; every other session ends',
        body: ChangePinRequest,
        headers: IdempotencyKey,
        response: { 200: Ok },
      },
    },
    async (request) => changePin(request, await sessions.require(request)),
  );
  app.post(
    '/api/admin/step-up',
    {
      schema: {
        tags,
        summary:
          'After a step_up_required answer, give the PIN or the second factor, as its reason says; then repeat the ' +
          'refused call. The second factor also completes a sign-in',
        body: StepUp,
        response: { 200: Ok },
      },
    },
    async (request) => {
      const { pin, code, credential } = request.body;
      const { sessionToken: token, caller } = await sessions.requireAdmin(request, pin);
      if (pin !== undefined) return { ok: true as const };
      const given = code === undefined ? { credential } : { code };
      const proof = { token, origin: request.headers.origin, given };
      return services.identity.post('/internal/second-factors/verify', proof, Ok, { caller });
    },
  );
  app.post(
    '/api/admin/change-pin',
    { schema: { tags, body: ChangePinRequest, headers: IdempotencyKey, response: { 200: Ok } } },
    async (request) => changePin(request, await sessions.requireAdmin(request)),
  );
}
