import { Ok } from '@vuka/contracts/http/common';
import { DepositDone, DepositOrder } from '@vuka/contracts/internal/transfers';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { type MakeDepositDeps, makeDeposit } from './make-deposit.ts';

/** The service that checks who may credit, and how much, has the money moved. */
const config = { calledBy: ['admin'] };

export function depositRoutes(app: HttpApp, deps: MakeDepositDeps): void {
  // Called before a deposit is entered in the register, so that one that is impossible now leaves nothing to undo.
  app.get('/internal/deposits/possible', { config, schema: { response: { 200: Ok } } }, async () => {
    await deps.wallet.mustBeReady();
    return { ok: true as const };
  });
  app.post(
    '/internal/deposits',
    { config, schema: { body: DepositOrder, response: { 201: DepositDone } } },
    async (request, reply) => {
      const deposit = await makeDeposit(deps, request.body);
      return reply.code(201).send({ transactionId: deposit.id });
    },
  );
}
