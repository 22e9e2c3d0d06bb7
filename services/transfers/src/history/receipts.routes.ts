import { callerOf } from '@vuka/access/caller';
import { ReceiptCheck, ReceiptCode, ReceiptVerification } from '@vuka/contracts/http/verification';
import { reason } from '@vuka/contracts/texts/reason';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { getTransferFor, type TransferReader } from './list-transfers.ts';
import type { ReceiptCodes } from './receipt-codes.ts';
import { toVerifiedReceipt } from './transfer.view.ts';

export interface ReceiptRoutesDeps extends TransferReader {
  receiptCodes: ReceiptCodes;
  now: () => Date;
}

/** Issues and verifies receipt codes. */
export function receiptRoutes(app: HttpApp, deps: ReceiptRoutesDeps): void {
  const { db, receiptCodes, now } = deps;
  app.get(
    '/internal/transfers/:id/verification',
    {
      schema: {
        params: z.object({ id: z.uuid({ error: reason('transaction_not_found') }) }),
        response: { 200: ReceiptVerification },
      },
    },
    async (request) => {
      const transfer = await getTransferFor(deps, request.params.id, callerOf(request));
      return { code: receiptCodes.codeOf(transfer.id) };
    },
  );
  // Public: the holder of a code has seen the receipt. Without our signature, no row is read.
  app.get(
    '/internal/receipt-checks/:code',
    { schema: { params: z.object({ code: ReceiptCode }), response: { 200: ReceiptCheck } } },
    async (request) => {
      const id = receiptCodes.read(request.params.code);
      const transfer = id && (await db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirst());
      const checkedAt = now().toISOString();
      if (!transfer) return { genuine: false as const, checkedAt };
      return { genuine: true as const, checkedAt, receipt: toVerifiedReceipt(transfer) };
    },
  );
}
