import { Ok, PinConfirmation } from '@vuka/contracts/http/common';
import { ChangePinRequest } from '@vuka/contracts/http/users';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { ADMIN_TAG } from '#access/admin-guard.ts';
import type { ApiDeps } from '#api/api-deps.ts';

const tags = [ADMIN_TAG];

/** An administrator's own PIN: entering it again (step-up), and changing it. */
export function pinRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.post(
    '/api/admin/step-up',
    {
      schema: {
        tags,
        summary: 'Enter the PIN again after a step_up_required answer; then repeat the refused call',
        body: PinConfirmation,
        response: { 200: Ok },
      },
    },
    async (request) => {
      await sessions.requireAdmin(request, request.body.pin);
      return { ok: true as const };
    },
  );
  app.post(
    '/api/admin/change-pin',
    { schema: { tags, body: ChangePinRequest, response: { 200: Ok } } },
    async (request) => {
      const { callerToken, sessionToken } = await sessions.requireAdmin(request);
      return services.identity.post('/internal/change-pin', { ...request.body, token: sessionToken }, Ok, {
        caller: callerToken,
      });
    },
  );
}
