import { adminOf } from '@vuka/access/caller';
import { Ok } from '@vuka/contracts/http/common';
import { DepositDone, DepositOrder } from '@vuka/contracts/internal/transfers';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import { type MakeDepositDeps, makeDeposit } from './make-deposit.ts';

export interface DepositRoutesDeps extends MakeDepositDeps {
  tokens: InternalTokens;
}

export function depositRoutes(app: HttpApp, deps: DepositRoutesDeps): void {
  // Called before a deposit is entered in the register, so that one that is impossible now leaves nothing to undo.
  app.get('/internal/deposits/possible', { schema: { response: { 200: Ok } } }, async () => {
    await deps.wallet.mustBeReady();
    return { ok: true as const };
  });
  app.post(
    '/internal/deposits',
    { schema: { body: DepositOrder, response: { 201: DepositDone } } },
    async (request, reply) => {
      adminOf(request, deps.tokens, 'credits.make');
      const deposit = await makeDeposit(deps, request.body);
      return reply.code(201).send({ transactionId: deposit.id });
    },
  );
}
