import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { decideProposal, type ProposalRow, propose, supersedeProposals } from '@vuka/access/proposals';
import { mustStillHave } from '@vuka/access/requesters';
import { POWERFUL_ROLES } from '@vuka/contracts/http/admin-rights';
import type { AdminRole } from '@vuka/contracts/http/admin-role';
import type { DecisionRequest } from '@vuka/contracts/internal/decisions';
import { AppError } from '@vuka/service-kit/app-error';
import type { Transaction } from '#db/schema.ts';
import type { IdentityDeps } from '#deps.ts';
import { hasOtherOwner, keepRolesWaiting, roleNow, writeRole } from './role.store.ts';

/** The change that a proposal stores. */
export interface RoleOf {
  userId: string;
  role: AdminRole;
}

type Deps = Pick<IdentityDeps, 'db' | 'now' | 'kickRelay'>;

const roleSubject = (userId: string) => `role of ${userId}`;

/**
 * Changes an administrator's role. Joining or leaving a role that moves money takes a second owner, if there is one:
 * then it is proposed; the only owner confirms it with the PIN. Throws not_found, role_of_last_owner and pin_required.
 */
export async function changeRole(
  deps: Deps,
  caller: Caller,
  { userId, role }: RoleOf,
): Promise<{ isWaiting: boolean }> {
  const act = { caller, at: deps.now() };
  const changed = await deps.db.transaction().execute(async (trx) => {
    await keepRolesWaiting(trx);
    const admin = await findRole(trx, userId);
    if (admin.role === role) {
      await supersedeProposals(trx, roleSubject(userId), act.at);
      return { isWaiting: false };
    }
    const isPowerful = POWERFUL_ROLES.includes(role) || POWERFUL_ROLES.includes(admin.role);
    if (isPowerful && (await hasOtherOwner(trx, caller.userId))) {
      const change = { subject: roleSubject(userId), before: { userId, role: admin.role }, after: { userId, role } };
      const { proposal, isNew } = await propose<RoleOf>(trx, change, act);
      if (isNew) await record(trx, { ...act, action: 'role-proposed', admin, role, facts: { proposal: proposal.id } });
      return { isWaiting: true };
    }
    await putInForce(trx, { userId, role });
    // After the other refusals: no PIN is asked for a change that is not possible.
    if (isPowerful && !caller.pinVerified) throw new AppError('role_changed_alone');
    await supersedeProposals(trx, roleSubject(userId), act.at);
    await record(trx, { ...act, action: isPowerful ? 'role-changed-alone' : 'role-changed', admin, role });
    return { isWaiting: false };
  });
  deps.kickRelay();
  return changed;
}

/**
 * Applies another owner's decision on a proposed role. Throws not_found, forbidden for the proposer, for the last owner
 * and for a proposer who is an owner no longer, already_decided.
 */
export async function decideRole(deps: Deps, caller: Caller, { id, decision }: DecisionRequest): Promise<RoleOf> {
  const act = { caller, at: deps.now() };
  const decided = await deps.db.transaction().execute(async (trx) => {
    await keepRolesWaiting(trx);
    const known = await trx.selectFrom('proposals').select('subject').where('id', '=', id).executeTakeFirst();
    if (!known) throw new AppError('proposal_not_found');
    const { proposal, isNew } = await decideProposal<RoleOf>(trx, { ...known, id, decision }, act);
    if (isNew && decision.kind === 'approve') {
      await mustStillHave((by) => roleNow(trx, by), proposal.requester_user_id, 'administrators.manage');
    }
    const { userId, role } = proposal.after;
    if (!isNew) return { userId, role };
    const admin = await findRole(trx, userId);
    if (proposal.status === 'approved') await putInForce(trx, { userId, role });
    const action = proposal.status === 'approved' ? 'role-changed' : 'role-refused';
    await record(trx, { ...act, action, admin, role, facts: factsOf(proposal) });
    return { userId, role };
  });
  deps.kickRelay();
  return decided;
}

const factsOf = ({ id, requester_id, refusal_reason }: ProposalRow<RoleOf>) => ({
  proposal: id,
  proposedBy: requester_id,
  ...(refusal_reason === null ? {} : { refusalReason: refusal_reason }),
});

interface Known extends RoleOf {
  name: string;
}

async function findRole(trx: Transaction, userId: string): Promise<Known> {
  const admin = await trx
    .selectFrom('admins')
    .innerJoin('users', 'users.id', 'admins.user_id')
    .select(['users.id as userId', 'admins.role', 'users.full_name as name'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (!admin) throw new AppError('administrator_unknown');
  return admin;
}

async function putInForce(trx: Transaction, { userId, role }: RoleOf): Promise<void> {
  if (!(await writeRole(trx, userId, role))) throw new AppError('role_of_last_owner');
}

interface Recorded {
  caller: Caller;
  at: Date;
  action: 'role-changed' | 'role-changed-alone' | 'role-proposed' | 'role-refused';
  admin: Known;
  role: AdminRole;
  facts?: Record<string, unknown>;
}

function record(trx: Transaction, { caller, at, action, admin, role, facts }: Recorded): Promise<void> {
  const entry: AdminAction = {
    source: '/vuka/identity',
    caller,
    action: `administrator.${action}`,
    subject: { kind: 'user' as const, id: admin.userId, label: admin.name },
    before: { role: admin.role },
    after: { role, ...facts },
  };
  return recordAction(trx, entry, at);
}
