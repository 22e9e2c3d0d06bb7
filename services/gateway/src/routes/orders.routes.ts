import type { Issue } from '@vuka/contracts/http/common';
import { CreateTransfer } from '@vuka/contracts/http/orders';
import { Receipt } from '@vuka/contracts/http/transfers';
import { type TransferOrder, type TransferOrderResult, TransferOrderResults } from '@vuka/contracts/internal/transfers';
import { AppError, Overloaded } from '@vuka/service-kit/app-error';
import { createBatcher, WITHIN_BODY } from '@vuka/service-kit/batcher';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';

/** Sending money. */
export function orderRoutes(app: HttpApp, { sessions, services, limits, orderGate }: ApiDeps): void {
  const orders = createBatcher<TransferOrder, TransferOrderResult>({
    concurrency: 2,
    maxBatch: 200,
    ...WITHIN_BODY,
    maxQueue: 2_000,
    async run(items) {
      const answer = await services.transfers.post('/internal/transfers/create-batch', { items }, TransferOrderResults);
      return answer.results;
    },
  });
  app.post(
    '/api/transactions/create',
    {
      schema: {
        tags: ['transfers'],
        summary: 'Send money; a repeated clientTransactionId is the same transfer',
        body: CreateTransfer,
        response: { 200: Receipt, 201: Receipt },
      },
    },
    async (request, reply) => {
      const { pin, metadata: _, ...order } = request.body;
      const check = async () => {
        const { user, caller } = await sessions.require(request, pin);
        limits.allowTransfer(user.id);
        return caller;
      };
      const { created, transaction } = await orderGate.letThrough(order.clientTransactionId, check, async (caller) => {
        const result = await orders.submit({ caller, order });
        if (!result.ok) throw toFailure(result);
        return result;
      });
      return reply.code(created ? 201 : 200).send({ transaction });
    },
  );
}

function toFailure(result: Extract<TransferOrderResult, { ok: false }>): AppError {
  if (result.closedForMs !== undefined) return new Overloaded(result);
  const { code, message: error, reason, params, retryAfterSeconds } = result;
  const { issues, ...details } = result.details as { issues?: Issue[] };
  const options = { details, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  return new AppError({ code, error, reason, params, issues }, options);
}
