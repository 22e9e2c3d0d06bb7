import { adminOf, decidingAdminOf } from '@vuka/access/caller';
import type { RoleNow } from '@vuka/access/requesters';
import {
  AdjustmentAnswer,
  AdjustmentKind,
  Adjustments,
  AdjustmentsQuery,
  OperatorAccount,
} from '@vuka/contracts/http/adjustments';
import { AmountInput, WalletCurrency } from '@vuka/contracts/http/common';
import { DecisionRequest } from '@vuka/contracts/internal/decisions';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { listAdjustments, toAdjustment } from './adjustment.store.ts';
import type { AdjustmentDeps } from './book-adjustment.ts';
import { decideAdjustment } from './decide-adjustment.ts';
import { requestAdjustment } from './request-adjustment.ts';

const AdjustmentBody = z.object({
  kind: AdjustmentKind,
  amount: AmountInput,
  currency: WalletCurrency,
  reason: z.string().check(z.minLength(1), z.maxLength(500)),
  from: z.optional(OperatorAccount),
  to: z.optional(OperatorAccount),
  key: z.optional(z.string()),
});

export function adjustmentRoutes(app: HttpApp, deps: AdjustmentDeps & { roleNow: RoleNow }): void {
  app.post(
    '/internal/adjustments',
    { schema: { body: AdjustmentBody, response: { 201: AdjustmentAnswer } } },
    async (request, reply) => {
      const caller = decidingAdminOf(request, 'adjustments.request');
      const { key, ...body } = request.body;
      const adjustment = await requestAdjustment(deps, { ...body, key }, caller);
      return reply.code(201).send({ adjustment: toAdjustment(adjustment, caller.userId) });
    },
  );
  app.get(
    '/internal/adjustments',
    { schema: { querystring: AdjustmentsQuery, response: { 200: Adjustments } } },
    (request) => {
      const { userId } = adminOf(request, 'adjustments.read');
      return listAdjustments(deps.db, request.query, userId);
    },
  );
  app.post(
    '/internal/adjustments/decide',
    { schema: { body: DecisionRequest, response: { 200: AdjustmentAnswer } } },
    async (request) => {
      const caller = decidingAdminOf(request, 'adjustments.decide');
      const adjustment = await decideAdjustment(deps, request.body, caller);
      return { adjustment: toAdjustment(adjustment, caller.userId) };
    },
  );
}
