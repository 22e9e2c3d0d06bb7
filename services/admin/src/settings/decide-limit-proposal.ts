import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { decideProposal, mustStillPropose } from '@vuka/access/proposals';
import type { RoleNow } from '@vuka/access/requesters';
import type { DecisionRequest } from '@vuka/contracts/internal/decisions';

import type { Limits } from './limit.domain.ts';
import { LIMIT_PROPOSALS, type LimitProposalRow, type SaveSettingsDeps, SYSTEM, write } from './save-settings.ts';
import { lockSettings } from './settings.store.ts';

/**
 * Records another administrator's decision on raised limits; approved limits are in force when this returns. Throws
 * not_found, forbidden for the proposer and for one who may no longer propose, already_decided, unavailable.
 */
export async function decideLimitProposal(
  deps: SaveSettingsDeps & { roleNow: RoleNow },
  { id, decision }: DecisionRequest,
  caller: Caller,
): Promise<LimitProposalRow> {
  const act = { caller, at: deps.now() };
  await mustStillPropose(deps.db, { id, decision }, { right: 'settings.change', roleNow: deps.roleNow });
  const decided = await deps.db.transaction().execute(async (trx) => {
    await lockSettings(trx);
    const asked = { subject: LIMIT_PROPOSALS, id, decision };
    const { proposal, isNew } = await decideProposal<Partial<Limits>>(trx, asked, act);
    if (!isNew) return proposal;
    const facts = { proposal: id, proposedBy: proposal.requester_id };
    if (decision.kind === 'approve') {
      await write(trx, proposal.after, { ...act, action: 'settings.limits-approved', facts });
    } else {
      const { before, after } = proposal;
      const refused = { ...SYSTEM, caller, action: 'settings.limits-refused' as const, reason: decision.reason };
      await recordAction(trx, { ...refused, before, after: { ...after, ...facts } }, act.at);
    }
    return proposal;
  });
  deps.kickRelay();
  return decided;
}
