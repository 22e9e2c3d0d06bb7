import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import { type Caller, idOfAdmin } from '@vuka/access/caller';
import { AWAITING_APPROVAL, type Obstacle, obstacleTo, statusAfter } from '@vuka/access/four-eyes';
import { mustStillHave, type RoleNow } from '@vuka/access/requesters';
import type { DecisionRequest } from '@vuka/contracts/internal/decisions';
import { AppError } from '@vuka/service-kit/app-error';

import type { Db, DepositRow, Transaction } from '#db/schema.ts';
import { type DepositDeps, finishDeposit, ledgerMustBeThere } from '#register/register-deposit.ts';

/**
 * Records another administrator's decision on a large credit or deposit, then has the money moved if they approved. Of
 * several concurrent decisions one is recorded; a repeat by the same person is the same decision. Throws not_found;
 * forbidden for the requester and the beneficiary, and when the requester may no longer request it; already_decided;
 * and unavailable: with nothing decided if the ledger was unavailable at the start, or with a message that says so if
 * it failed after the decision, which is then kept and completed as soon as possible.
 */
export async function decideCredit(
  deps: DepositDeps & { roleNow: RoleNow },
  { id, decision }: DecisionRequest,
  admin: Caller,
): Promise<DepositRow> {
  const at = deps.now();
  if (decision.kind === 'approve') {
    await requesterMustStill(deps, id);
    await ledgerMustBeThere(deps);
  }
  const decided = await deps.db.transaction().execute(async (trx) => {
    const credit = await lockCredit(trx, id);
    const reviewed = {
      requesterId: credit.admin_user_id,
      beneficiaryId: credit.beneficiary_user_id,
      deciderId: credit.checker_user_id,
      status: credit.approval,
    };
    const obstacle = obstacleTo(reviewed, decision, admin.userId);
    if (obstacle === 'decided_so') return credit;
    if (obstacle) throw refusalOf(obstacle, credit.kind);
    const taken = await writeDecision(trx, { id, decision }, { admin, at });
    await recordDecision(trx, taken, decision, { admin, at });
    return taken;
  });
  deps.kickRelay();
  return finishDeposit(deps, decided);
}

async function requesterMustStill({ db, roleNow }: { db: Db; roleNow: RoleNow }, id: string): Promise<void> {
  const waiting = await db
    .selectFrom('admin_deposits')
    .select(['admin_user_id', 'kind'])
    .where('id', '=', id)
    .where('approval', '=', AWAITING_APPROVAL)
    .executeTakeFirst();
  if (waiting) await mustStillHave(roleNow, waiting.admin_user_id, `${waiting.kind}s.make`);
}

interface DecidedBy {
  admin: Caller;
  at: Date;
}

async function lockCredit(trx: Transaction, id: string): Promise<DepositRow> {
  const credit = await trx
    .selectFrom('admin_deposits')
    .selectAll()
    .where('id', '=', id)
    .where('approval', '<>', 'not_needed')
    .forUpdate()
    .executeTakeFirst();
  if (!credit) throw new AppError('credit_not_found');
  return credit;
}

function writeDecision(
  trx: Transaction,
  { id, decision }: DecisionRequest,
  { admin, at }: DecidedBy,
): Promise<DepositRow> {
  return trx
    .updateTable('admin_deposits')
    .set({
      approval: statusAfter(decision),
      checker_user_id: admin.userId,
      checker_id: idOfAdmin(admin),
      checker_name: admin.name,
      decided_at: at,
      refusal_reason: decision.kind === 'refuse' ? decision.reason : null,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function recordDecision(
  trx: Transaction,
  credit: DepositRow,
  decision: DecisionRequest['decision'],
  { admin, at }: DecidedBy,
): Promise<void> {
  const { id, reference, amount, currency, approval, refusal_reason: reason } = credit;
  const facts = { amount, currency, beneficiary: credit.beneficiary_id, requestedBy: credit.admin_id };
  const action: AdminAction = {
    source: '/vuka/admin',
    caller: admin,
    action: `${credit.kind}.${statusAfter(decision)}`,
    subject: { kind: 'deposit' as const, id, label: reference },
    ...(reason === null ? {} : { reason }),
    before: { ...facts, status: 'awaiting_approval' },
    after: { ...facts, status: approval },
  };
  return recordAction(trx, action, at);
}

function refusalOf(obstacle: Exclude<Obstacle, 'decided_so'>, kind: DepositRow['kind']): AppError {
  if (kind === 'deposit') {
    return obstacle === 'closed' ? new AppError('deposit_decided') : new AppError('deposit_of_own_request');
  }
  switch (obstacle) {
    case 'is_requester':
      return new AppError('credit_of_own_request');
    case 'is_beneficiary':
      return new AppError('credit_to_own_account');
    case 'closed':
      return new AppError('credit_decided');
  }
}
