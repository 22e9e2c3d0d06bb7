import { adminOf, decidingAdminOf } from '@vuka/access/caller';
import { Ok } from '@vuka/contracts/http/common';
import { Fee, FeeAddress, Fees, NewFee } from '@vuka/contracts/http/fees';
import { FeesInForce } from '@vuka/contracts/internal/pricing';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { idempotencyKeyOf } from '@vuka/service-kit/idempotency-key';
import { listFeeBands, listFees } from '#pricing/fee-band.store.ts';
import { addFee, type ChangeFeesDeps, removeFee } from './change-fees.ts';

export function feeRoutes(app: HttpApp, deps: ChangeFeesDeps): void {
  app.get('/internal/fees', { schema: { response: { 200: Fees } } }, async (request) => {
    adminOf(request, 'fees.read');
    return { fees: await listFees(deps.db) };
  });
  // The fees in force, for callers that need no rate.
  const calledBy = ['transfers'];
  app.get(
    '/internal/fees-in-force',
    { config: { calledBy }, schema: { response: { 200: FeesInForce } } },
    async () => ({
      fees: await listFeeBands(deps.db),
    }),
  );
  app.post('/internal/fees', { schema: { body: NewFee, response: { 201: Fee } } }, async (request, reply) => {
    const admin = decidingAdminOf(request, 'fees.set');
    return reply.code(201).send(await addFee(deps, request.body, { admin, key: idempotencyKeyOf(request) }));
  });
  app.post('/internal/fees/remove', { schema: { body: FeeAddress, response: { 200: Ok } } }, async (request) => {
    const admin = decidingAdminOf(request, 'fees.set');
    await removeFee(deps, request.body.id, admin);
    return { ok: true as const };
  });
}
