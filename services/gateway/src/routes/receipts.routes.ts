import { ReceiptCheck, ReceiptCode, ReceiptVerification } from '@vuka/contracts/http/verification';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';

/** The code of the user's own receipt, and its public check. */
export function receiptRoutes(app: HttpApp, { sessions, services, limits }: ApiDeps): void {
  app.get(
    '/api/transactions/:id/verification',
    {
      schema: {
        tags: ['transfers'],
        summary: 'The code for the public check of the receipt',
        params: AnyId,
        response: { 200: ReceiptVerification },
      },
    },
    async (request) => {
      const { caller } = await sessions.require(request);
      const path = `/internal/transfers/${knownForm(request.params.id, 'transaction_not_found')}/verification`;
      return services.transfers.get(path, ReceiptVerification, { caller });
    },
  );
  app.get(
    '/api/verify/:code',
    {
      schema: {
        tags: ['public'],
        summary: 'Whether a receipt is genuine, and its current status; without a session',
        security: [],
        params: z.object({ code: ReceiptCode }),
        response: { 200: ReceiptCheck },
      },
      config: limits.verify,
    },
    async (request) => services.transfers.get(`/internal/receipt-checks/${request.params.code}`, ReceiptCheck),
  );
}
