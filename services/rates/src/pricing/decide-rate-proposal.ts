import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { statusAfter } from '@vuka/access/four-eyes';
import { decideProposal, mustStillPropose, type ProposalRow } from '@vuka/access/proposals';
import type { RoleNow } from '@vuka/access/requesters';
import type { DecisionRequest } from '@vuka/contracts/internal/decisions';

import type { EnteredRate } from './large-change.domain.ts';
import { findRate, underPricingLock } from './pricing.store.ts';
import { AUDITED, putInForce, RATE_PROPOSALS, type UpdateRatesDeps } from './update-rates.ts';

export interface DecideRatesDeps extends UpdateRatesDeps {
  roleNow: RoleNow;
}

/**
 * Applies another administrator's decision on a proposed rate; an approved rate is in force once this returns. Throws
 * not_found, forbidden for the proposer and for one who may no longer propose, already_decided, unavailable.
 */
export async function decideRateProposal(
  deps: DecideRatesDeps,
  { id, decision }: DecisionRequest,
  admin: Caller,
): Promise<ProposalRow<EnteredRate>> {
  const act = { caller: admin, at: deps.now() };
  await mustStillPropose(deps.db, { id, decision }, { right: 'rates.set', roleNow: deps.roleNow });
  const decided = await underPricingLock(deps.db, async (trx) => {
    const before = await findRate(trx);
    const asked = { subject: RATE_PROPOSALS, id, decision };
    const { proposal, isNew } = await decideProposal<EnteredRate>(trx, asked, act);
    if (!isNew) return proposal;
    const {
      after,
      status,
      requester_id: proposedBy,
      requester_name: name,
      requester_user_id: userId,
      refusal_reason,
    } = proposal;
    if (status === 'approved') {
      await putInForce(trx, { ...after, setBy: { userId, name } }, act.at);
    }
    const action = {
      ...AUDITED,
      caller: admin,
      action: `rates.${statusAfter(decision)}` as const,
      ...(refusal_reason === null ? {} : { reason: refusal_reason }),
      ...(before ? { before } : {}),
      after: { ...after, proposal: id, proposedBy },
    };
    await recordAction(trx, action, act.at);
    return proposal;
  });
  deps.kickRelay();
  return decided;
}
