import { Ok } from '@vuka/contracts/http/common';
import {
  AddPasskey,
  AddTotp,
  PasskeyOptions,
  SecondFactor,
  SecondFactors,
  TotpSecret,
} from '@vuka/contracts/http/second-factors';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];
const PATH = '/api/admin/second-factors';

/** An administrator's own passkeys and authenticator apps. They are given in `POST /api/admin/step-up`. */
export function secondFactorRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  /** Identity knows a session by its token, and a page by its origin, which WebAuthn signs. */
  async function ask<Answer extends z.ZodMiniType>(request: FastifyRequest, path: string, answer: Answer) {
    const { caller, sessionToken: token } = await sessions.requireAdmin(request);
    const body = { ...(request.body as object | undefined), token, origin: request.headers.origin };
    return services.identity.post(`/internal/second-factors${path}`, body, answer, { caller });
  }

  app.get(
    PATH,
    { schema: { tags, summary: "The administrator's own second factors", response: { 200: SecondFactors } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.identity.get('/internal/second-factors', SecondFactors, { caller });
    },
  );
  app.post(
    `${PATH}/challenge`,
    {
      schema: { tags, summary: 'What a passkey has to sign in /api/admin/step-up', response: { 200: PasskeyOptions } },
    },
    (request) => ask(request, '/challenge', PasskeyOptions),
  );
  app.post(
    `${PATH}/passkey/begin`,
    { schema: { tags, summary: 'What a new passkey has to sign', response: { 200: PasskeyOptions } } },
    (request) => ask(request, '/passkey/begin', PasskeyOptions),
  );
  app.post(
    `${PATH}/totp/begin`,
    { schema: { tags, summary: 'A secret for an authenticator app; shown once', response: { 200: TotpSecret } } },
    (request) => ask(request, '/totp/begin', TotpSecret),
  );
  for (const [kind, body] of [
    ['passkey', AddPasskey],
    ['totp', AddTotp],
  ] as const) {
    app.post(
      `${PATH}/${kind}`,
      { schema: { tags, summary: `Add a second factor (${kind})`, body, response: { 201: SecondFactor } } },
      async (request, reply) => reply.code(201).send(await ask(request, `/${kind}`, SecondFactor)),
    );
  }
  app.post(
    `${PATH}/:id/remove`,
    {
      schema: {
        tags,
        summary: 'Remove a second factor; where one is required, not the last',
        params: AnyId,
        response: { 200: Ok },
      },
    },
    async (request) => {
      const { caller, sessionToken: token } = await sessions.requireAdmin(request);
      const id = knownForm(request.params.id, 'factor_not_found');
      return services.identity.post('/internal/second-factors/remove', { id, token }, Ok, { caller });
    },
  );
}
