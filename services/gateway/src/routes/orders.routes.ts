import type { Issue } from '@vuka/contracts/http/common';
import { CreateTransfer } from '@vuka/contracts/http/orders';
import { Receipt } from '@vuka/contracts/http/transfers';
import { type TransferOrder, type TransferOrderResult, TransferOrderResults } from '@vuka/contracts/internal/transfers';
import { AppError, Overloaded } from '@vuka/service-kit/app-error';
import { createBatcher, WITHIN_BODY } from '@vuka/service-kit/batcher';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { recordSpan } from '@vuka/service-kit/tracing';
import type { ApiDeps } from '#api/api-deps.ts';

/** Sending money. */
export function orderRoutes(app: HttpApp, { sessions, services, limits, orderGate }: ApiDeps): void {
  const orders = createBatcher<TransferOrder, TransferOrderResult>({
    concurrency: 2,
    maxBatch: 200,
    ...WITHIN_BODY,
    maxQueue: 2_000,
    async run(items) {
      const path = '/internal/transfers/create-batch';
      // Safe to repeat: each order carries its client's key.
      const answer = await services.transfers.post(path, { items }, TransferOrderResults, { idempotent: true });
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
      const startMs = Date.now();
      let checkedMs = startMs;
      const { pin, metadata: _, ...order } = request.body;
      const check = async () => {
        const { user, caller } = await sessions.require(request, pin);
        checkedMs = Date.now();
        limits.allowTransfer(user.id);
        return caller;
      };
      const { created, transaction } = await orderGate.letThrough(order.clientTransactionId, check, async (caller) => {
        const result = await orders.submit({ caller, order });
        if (!result.ok) throw toFailure(result);
        return result;
      });
      const times = { requestId: request.id, startMs, checkedMs };
      traceOrder(transaction.id, created, times);
      return reply.code(created ? 201 : 200).send({ transaction });
    },
  );
}

/** The request that made the transfer is the root of its trace; a repeat is a part of it. */
function traceOrder(
  transferId: string,
  isRoot: boolean,
  { requestId, startMs, checkedMs }: { requestId: string; startMs: number; checkedMs: number },
): void {
  const attributes = { 'http.request.method': 'POST', 'vuka.request_id': requestId };
  const name = 'POST /api/transactions/create';
  recordSpan(transferId, { name, kind: 'server', startMs, endMs: Date.now(), attributes, isRoot });
  recordSpan(transferId, { name: 'check session and PIN', kind: 'client', startMs, endMs: checkedMs });
}

function toFailure(result: Extract<TransferOrderResult, { ok: false }>): AppError {
  if (result.closedForMs !== undefined) return new Overloaded(result);
  const { code, message: error, reason, params, retryAfterSeconds } = result;
  const { issues, ...details } = result.details as { issues?: Issue[] };
  const options = { details, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  return new AppError({ code, error, reason, params, issues }, options);
}
