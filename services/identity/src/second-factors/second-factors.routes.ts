import { type Caller, confirmedAdminOf, enteringAdminOf, hasFactor } from '@vuka/access/caller';
import { Ok } from '@vuka/contracts/http/common';
import { PasskeyOptions, SecondFactor, SecondFactors, TotpSecret } from '@vuka/contracts/http/second-factors';
import { FactorProof, FactorRemoval, FactorSession, NewPasskey, NewTotp } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { IdentityDeps } from '#deps.ts';
import { addPasskey, beginPasskey } from './add-passkey.ts';
import { addTotp, beginTotp } from './add-totp.ts';
import { listFactors, toSecondFactor } from './factor.store.ts';
import { challengePasskey, giveFactor } from './give-factor.ts';
import { removeFactor } from './remove-factor.ts';

/** An administrator's own second factors. */
export function secondFactorRoutes(app: HttpApp, deps: IdentityDeps): void {
  app.get('/internal/second-factors', { schema: { response: { 200: SecondFactors } } }, async (request) => {
    const { userId } = enteringAdminOf(request);
    const factors = (await listFactors(deps.db, userId)).map(toSecondFactor);
    return { factors, isRequired: deps.requireFactor };
  });
  app.post(
    '/internal/second-factors/challenge',
    { schema: { body: FactorSession, response: { 200: PasskeyOptions } } },
    (request) => challengePasskey(deps, enteringAdminOf(request), request.body),
  );
  app.post(
    '/internal/second-factors/verify',
    { schema: { body: FactorProof, response: { 200: Ok } } },
    async (request) => {
      await giveFactor(deps, enteringAdminOf(request), request.body);
      return { ok: true as const };
    },
  );
  app.post(
    '/internal/second-factors/remove',
    { schema: { body: FactorRemoval, response: { 200: Ok } } },
    async (request) => {
      await removeFactor(deps, confirmedAdminOf(request, 'own-credentials'), request.body);
      return { ok: true as const };
    },
  );
  addingRoutes(app, deps);
}

function addingRoutes(app: HttpApp, deps: IdentityDeps): void {
  app.post(
    '/internal/second-factors/passkey/begin',
    { schema: { body: FactorSession, response: { 200: PasskeyOptions } } },
    async (request) => beginPasskey(deps, addingAdminOf(request), request.body),
  );
  app.post(
    '/internal/second-factors/passkey',
    { schema: { body: NewPasskey, response: { 200: SecondFactor } } },
    async (request) => toSecondFactor(await addPasskey(deps, addingAdminOf(request), request.body)),
  );
  app.post(
    '/internal/second-factors/totp/begin',
    { schema: { body: FactorSession, response: { 200: TotpSecret } } },
    async (request) => beginTotp(deps, addingAdminOf(request), request.body.token),
  );
  app.post(
    '/internal/second-factors/totp',
    { schema: { body: NewTotp, response: { 200: SecondFactor } } },
    async (request) => toSecondFactor(await addTotp(deps, addingAdminOf(request), request.body)),
  );
}

/**
 * Adding a factor takes a recent PIN, and a recent factor if there is one: a thief with only the cookie, or only the
 * PIN, cannot add a factor.
 */
function addingAdminOf(request: Parameters<typeof enteringAdminOf>[0]): Caller {
  const caller = enteringAdminOf(request);
  if (caller.factor === 'pending') throw new AppError('factor_pending');
  if (hasFactor(caller) && !caller.factorRecent) throw new AppError('factor_not_recent');
  if (!caller.pinRecent) throw new AppError('pin_not_recent');
  return caller;
}
