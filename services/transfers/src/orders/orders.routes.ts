import { decodeCaller } from '@vuka/access/caller';
import {
  type TransferOrder,
  type TransferOrderResult,
  TransferOrderResults,
  TransferOrders,
} from '@vuka/contracts/internal/transfers';
import { Overloaded } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { toAppError } from '@vuka/service-kit/http-errors';
import { traceOf } from '@vuka/service-kit/trace';
import { recordSpan } from '@vuka/service-kit/tracing';
import { toReceipt } from '#history/transfer.view.ts';
import { type CreateTransferDeps, createTransfer } from './create-transfer.ts';

export interface OrderRoutesDeps extends CreateTransferDeps {}

/** Orders of many merchants in one request; each gets its own result. */
export function orderRoutes(app: HttpApp, deps: OrderRoutesDeps): void {
  app.post(
    '/internal/transfers/create-batch',
    { schema: { body: TransferOrders, response: { 200: TransferOrderResults } } },
    async (request) => ({ results: await Promise.all(request.body.items.map((item) => answerOrder(deps, item))) }),
  );
}

async function answerOrder(deps: OrderRoutesDeps, item: TransferOrder): Promise<TransferOrderResult> {
  try {
    const caller = decodeCaller(item.caller);
    const startMs = Date.now();
    const { created, transfer } = await createTransfer(deps, item.order, caller);
    const { requestId } = caller;
    recordSpan(transfer.id, { name: 'accept the order', kind: 'server', startMs, endMs: Date.now() });
    deps.logger.info(
      { transferId: transfer.id, traceId: traceOf(transfer.id)?.traceId, requestId, step: transfer.step },
      created ? 'accepted an order' : 'answered a repeated order',
    );
    return { ok: true, created, transaction: toReceipt(transfer, caller.userId) };
  } catch (error) {
    const failure = toAppError(error);
    if (failure.code === 'internal_error') deps.logger.error({ err: error }, 'an order failed');
    const { code, message, reason, params, retryAfterSeconds, issues } = failure;
    const details = { ...failure.details, ...(issues ? { issues } : {}) };
    return {
      ok: false,
      code,
      message,
      reason,
      params,
      details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(error instanceof Overloaded && error.closedForMs ? { closedForMs: error.closedForMs } : {}),
    };
  }
}
