import { Ok } from '@vuka/contracts/http/common';
import { PinResetForm, PinResetRequested } from '@vuka/contracts/http/contact-verification';
import { PinReset } from '@vuka/contracts/internal/identity';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { IdentityDeps } from '#deps.ts';
import { requestPinReset, resetPin } from './reset-pin.ts';

export function pinResetRoutes(app: HttpApp, deps: IdentityDeps): void {
  app.post(
    '/internal/pin-reset',
    { schema: { body: PinReset, response: { 200: PinResetRequested } } },
    async (request) => {
      const requested = await requestPinReset(deps, request.body);
      deps.kickRelay();
      return requested;
    },
  );
  app.post(
    '/internal/pin-reset/confirm',
    { schema: { body: PinResetForm, response: { 200: Ok } } },
    async (request) => {
      await resetPin(deps, request.body);
      deps.kickRelay();
      return { ok: true as const };
    },
  );
}
