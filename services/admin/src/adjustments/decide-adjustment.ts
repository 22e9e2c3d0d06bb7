import { type Caller, idOfAdmin } from '@vuka/access/caller';
import { AWAITING_APPROVAL, obstacleTo, statusAfter } from '@vuka/access/four-eyes';
import { mustStillHave, type RoleNow } from '@vuka/access/requesters';
import type { DecisionRequest } from '@vuka/contracts/internal/decisions';
import { AppError } from '@vuka/service-kit/app-error';
import type { AdjustmentRow, Db } from '#db/schema.ts';
import { recordAdjustment } from './adjustment.store.ts';
import { type AdjustmentDeps, bookAdjustment } from './book-adjustment.ts';

/**
 * Records another administrator's decision, then has the journal booked if they approved. Of several concurrent decisions
 * one is recorded; a repeat by the same person is the same decision. Throws not_found, forbidden for the requester and
 * when the requester may no longer request it, already_decided, and unavailable as in `bookAdjustment`.
 */
export async function decideAdjustment(
  deps: AdjustmentDeps & { roleNow: RoleNow },
  { id, decision }: DecisionRequest,
  caller: Caller,
): Promise<AdjustmentRow> {
  const at = deps.now();
  if (decision.kind === 'approve') await requesterMustStill(deps, id);
  const decided = await deps.db.transaction().execute(async (trx) => {
    const asked = await trx.selectFrom('adjustments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!asked) throw new AppError('adjustment_not_found');
    const { requester_user_id: requesterId, decider_user_id: deciderId, status } = asked;
    const obstacle = obstacleTo({ requesterId, deciderId, status }, decision, caller.userId);
    if (obstacle === 'decided_so') return asked;
    if (obstacle) throw new AppError(obstacle === 'closed' ? 'adjustment_decided' : 'adjustment_of_own_request');
    const taken = await trx
      .updateTable('adjustments')
      .set({
        status: statusAfter(decision),
        decider_user_id: caller.userId,
        decider_id: idOfAdmin(caller),
        decider_name: caller.name,
        decided_at: at,
        refusal_reason: decision.kind === 'refuse' ? decision.reason : null,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const before = { status: AWAITING_APPROVAL };
    await recordAdjustment(trx, taken, { caller, action: `adjustment.${statusAfter(decision)}`, at, before });
    return taken;
  });
  deps.kickRelay();
  return bookAdjustment(deps, decided);
}

async function requesterMustStill({ db, roleNow }: { db: Db; roleNow: RoleNow }, id: string): Promise<void> {
  const waiting = await db
    .selectFrom('adjustments')
    .select('requester_user_id')
    .where('id', '=', id)
    .where('status', '=', AWAITING_APPROVAL)
    .executeTakeFirst();
  if (waiting) await mustStillHave(roleNow, waiting.requester_user_id, 'adjustments.request');
}
