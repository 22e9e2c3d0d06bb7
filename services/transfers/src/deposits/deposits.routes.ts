import { Ok } from '@vuka/contracts/http/common';
import { DepositDone, DepositOrder } from '@vuka/contracts/internal/transfers';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { type MakeDepositDeps, makeDeposit } from './make-deposit.ts';

/** Only admin may request deposits: it checks who may credit, and how much. */
const config = { calledBy: ['admin'] };

export function depositRoutes(app: HttpApp, deps: MakeDepositDeps): void {
  // Admin calls this before it enters a deposit in the register: an unavailable wallet then leaves no entry to undo.
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
