import {
  ADJUSTED_ACCOUNTS,
  type Adjustment,
  AdjustmentRequest,
  type Adjustments,
} from '@vuka/contracts/http/adjustments';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { RefuseProposal } from '@vuka/contracts/http/proposals';
import { reason } from '@vuka/contracts/texts/reason';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { waitingAdjustment } from './adjustment-fixtures.ts';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { fixedId, PIN } from './fixtures.ts';
import { pageOf } from './page-of.ts';
import type { World } from './world.ts';

/** Adjustments of the books: each waits for a second administrator. */
export function adjustmentHandlers(world: World) {
  return [
    http.get('*/api/admin/adjustments', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const { page, nextCursor } = pageOf(
        world.adjustments.filter(({ status }) => status === query.get('status')),
        query,
      );
      return HttpResponse.json<Adjustments>({ adjustments: page, nextCursor });
    }),
    http.post('*/api/admin/adjustments', async ({ request }) => {
      const { pin, from, to, ...asked } = z.parse(AdjustmentRequest, await request.json());
      if (pin !== PIN) return wrongPin();
      const accounts = asked.kind === 'correction' ? { from, to } : ADJUSTED_ACCOUNTS[asked.kind];
      const requestedBy = { adminId: 'ADM1', name: 'Zuri Admin' };
      const amount = Number(asked.amount).toFixed(2);
      const id = fixedId(7510);
      const adjustment = { ...waitingAdjustment, ...asked, ...accounts, id, amount, requestedBy, isOwn: true };
      world.adjustments = [...world.adjustments, adjustment as Adjustment];
      return HttpResponse.json({ adjustment }, { status: 202 });
    }),
    http.post('*/api/admin/adjustments/:id/:kind', async ({ params, request }) => {
      const body = await request.json();
      if (z.parse(PinConfirmation, body).pin !== PIN) return wrongPin();
      const known = world.adjustments.find(({ id }) => id === params.id);
      if (!known) return errorAnswer('not_found', reason('adjustment_not_found'));
      const isRefusal = params.kind === 'refuse';
      const adjustment: Adjustment = {
        ...known,
        status: isRefusal ? 'refused' : 'approved',
        decidedBy: { adminId: 'ADM1', name: 'Zuri Admin' },
        decidedAt: '2026-01-12T06:31:00.000Z',
        refusalReason: isRefusal ? z.parse(RefuseProposal, body).reason : null,
        journalId: isRefusal ? null : '1024',
      };
      world.adjustments = world.adjustments.map((other) => (other === known ? adjustment : other));
      return HttpResponse.json({ adjustment });
    }),
  ];
}
