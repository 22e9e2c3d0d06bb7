import { type AdminAction, actionMessage } from '@vuka/access/audit-trail';
import { type Caller, idOfAdmin } from '@vuka/access/caller';
import { formatMoney } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import { violatedUnique } from '@vuka/service-kit/database';
import type { TransferRow } from '#db/schema.ts';
import { executeCommand } from '#saga/commands.ts';
import { findLostPayout } from '#saga/lost-payout.ts';
import { type SagaDeps, take, transitionOf } from '#saga/step.ts';
import {
  type Decision,
  eventOf,
  isRepeat,
  type Obstacle,
  obstacleTo,
  type WithdrawalFacts,
  withdrawalFactsOf,
} from '#saga/withdrawal.domain.ts';
import { mayBePaidByHand } from './paid-by-hand.domain.ts';
import { BANK_REFERENCES, findPaidUnder, wasTakenOver } from './withdrawal.store.ts';

const MAX_TRIES = 10;

/**
 * Records an administrator's decision with who and when; the worker carries it out. Of concurrent decisions only one is
 * taken and enters the audit trail; a repeat by the same administrator is the same decision. Throws not_found;
 * forbidden for the administrator's own withdrawal and for approving a blocked merchant's; already_decided, also while
 * another administrator is paying it by hand, and if the bank's reference has completed another withdrawal; unavailable while the money is not held yet. What is to be paid by hand is
 * decided by its payer, except that anyone may return the money of a blocked merchant whom nobody is paying. If another
 * administrator was paying it before, or the books may have lost its payment, its money is returned only after a comparison with the bank's statement or the provider's
 * record; else throws already_decided.
 */
export async function decideWithdrawal(
  deps: SagaDeps,
  { id, decision }: { id: string; decision: Decision },
  admin: Caller,
): Promise<TransferRow> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const transfer = await deps.transfers.submit(id);
    const facts = transfer && withdrawalFactsOf(transfer);
    if (!facts) throw new AppError('withdrawal_not_found');
    if (transfer.user_id === admin.userId) throw new AppError('withdrawal_of_own');
    if (await isMadeBefore(deps, transfer, { decision, admin })) return transfer;
    const allowed = await mustBeAllowed(deps, transfer, decision);
    const transition = transitionFor(transfer, facts, { decision, admin, at: deps.now() });
    const taken = await take(deps, { ...transition, ...allowed }).catch(ignoreUsedReference);
    if (taken) {
      deps.logger.info(
        { transferId: id, decision: decision.kind, adminId: idOfAdmin(admin) },
        'a withdrawal was decided on',
      );
      return taken;
    }
  }
  throw new Error(`the withdrawal ${id} keeps changing`);
}

/** Returns the place of the books for which the decision is allowed, if it depends on the books. */
async function mustBeAllowed(deps: SagaDeps, transfer: TransferRow, decision: Decision): Promise<{ place?: string }> {
  switch (decision.kind) {
    case 'approve':
      // The merchant may have been blocked since the request, for reasons that concern this withdrawal.
      if (await deps.identity.isBlocked(transfer.user_id)) throw new AppError('withdrawal_of_blocked_account');
      return {};
    case 'complete':
      await mustBeUnused(deps, transfer, decision.reference);
      return {};
    case 'refuse':
    case 'fail':
      return mustBeUnpaid(deps, transfer, decision);
  }
}

/** One payment of the bank must not complete two withdrawals: the merchant of the second would never be paid. */
async function mustBeUnused({ db }: SagaDeps, transfer: TransferRow, reference: string): Promise<void> {
  const used = await findPaidUnder(db, { currency: transfer.source_currency, reference });
  if (used) throw new AppError('withdrawal_reference_used', { params: { id: used.transaction_id } });
}

/** Another withdrawal was completed by the same reference meanwhile: the next attempt finds it. */
function ignoreUsedReference(error: unknown): undefined {
  if (violatedUnique(error) !== BANK_REFERENCES) throw error;
}

type Return = Extract<Decision, { kind: 'refuse' | 'fail' }>;
const isReturn = (decision: Decision): decision is Return => decision.kind === 'refuse' || decision.kind === 'fail';

/** Returns the place of the books for which this holds. */
async function mustBeUnpaid(
  deps: SagaDeps,
  transfer: TransferRow,
  { comparedWithStatement }: Return,
): Promise<{ place: string }> {
  const epoch = await deps.books.epoch();
  const mayBePaid = mayBePaidByHand(transfer, epoch) || (await wasTakenOver(deps.db, transfer.id));
  if (mayBePaid && !comparedWithStatement) throw new AppError('withdrawal_may_be_paid');
  const isToBank = withdrawalFactsOf(transfer)?.accountType === 'bank';
  const lost = isToBank ? undefined : await findLostPayout(deps, transfer, epoch);
  if (lost?.kind === 'unclear') throw new AppError('withdrawal_unclear');
  if (lost?.kind === 'found') throw new AppError('withdrawal_sent');
  return { place: epoch.place };
}

function transitionFor(
  transfer: TransferRow,
  { accountType }: WithdrawalFacts,
  { decision, admin, at }: { decision: Decision; admin: Caller; at: Date },
) {
  return transitionOf(transfer, eventOf(decision, accountType), at, {
    decision: {
      kind: decision.kind === 'approve' ? 'approved' : 'closed',
      adminId: idOfAdmin(admin),
      ...(decision.kind === 'complete' ? { reference: decision.reference } : {}),
    },
    resumedAt: at,
    commands: [
      executeCommand(transfer.id, admin.requestId, at),
      actionMessage(recordOf(transfer, decision, admin), at),
    ],
  });
}

/** Whether this administrator has already made this decision. Throws if the decision is not possible. */
async function isMadeBefore(
  { db, identity }: SagaDeps,
  transfer: TransferRow,
  { decision, admin }: { decision: Decision; admin: Caller },
): Promise<boolean> {
  const obstacle = obstacleTo(decision, transfer.step);
  if (obstacle === undefined && transfer.step !== 'paying_by_hand') return false;
  const withdrawal = await db
    .selectFrom('withdrawals')
    .select(['approved_by', 'closed_by', 'provider_reference_id', 'paying_by', 'paying_name'])
    .where('transaction_id', '=', transfer.id)
    .executeTakeFirstOrThrow();
  if (obstacle === undefined) {
    // Nobody can take a blocked merchant's withdrawal, so without a payer its money could not be returned.
    const isReturned = decision.kind === 'fail' && withdrawal.paying_by === null;
    if (!isReturned || !(await identity.isBlocked(transfer.user_id))) mustBePayer(withdrawal, admin);
    return false;
  }
  const decided = {
    approvedBy: withdrawal.approved_by,
    closedBy: withdrawal.closed_by,
    reference: withdrawal.provider_reference_id,
    errorCode: transfer.error_code,
  };
  if (isRepeat(decision, decided, idOfAdmin(admin))) return true;
  throw refusalOf(obstacle);
}

/** The payer knows the outcome; others would only guess. Without a payer, two administrators could both pay. */
function mustBePayer(withdrawal: { paying_by: string | null; paying_name: string | null }, admin: Caller): void {
  if (withdrawal.paying_by === null) throw new AppError('withdrawal_not_taken');
  if (hasOtherPayer(withdrawal, admin)) throw paidByOther(withdrawal.paying_name);
}

/** Whether another administrator has taken it. */
export const hasOtherPayer = ({ paying_by: payer }: { paying_by: string | null }, admin: Caller): boolean =>
  payer !== null && payer !== idOfAdmin(admin);

export const paidByOther = (name: string | null): AppError =>
  new AppError('withdrawal_paid_by_other', { params: { name: name ?? '' } });

const RECORDS = {
  approve: { action: 'withdrawal.approved', from: 'awaiting_approval', to: 'pending' },
  refuse: { action: 'withdrawal.refused', from: 'awaiting_approval', to: 'failed' },
  complete: { action: 'withdrawal.paid', from: 'pending', to: 'completed' },
  fail: { action: 'withdrawal.not-paid', from: 'pending', to: 'failed' },
} as const;

/** The decision's entry in the audit trail, committed together with the decision. */
function recordOf(transfer: TransferRow, decision: Decision, caller: Caller): AdminAction {
  const { action, from, to } = RECORDS[decision.kind];
  const facts = {
    amount: formatMoney(transfer.source_amount),
    currency: transfer.source_currency,
    fee: formatMoney(transfer.fee),
    recipient: transfer.recipient_name,
    userId: transfer.user_id,
  };
  return {
    source: '/vuka/transfers',
    caller,
    action,
    subject: { kind: 'withdrawal', id: transfer.id },
    ...('reason' in decision ? { reason: decision.reason } : {}),
    before: { ...facts, status: from },
    after: {
      ...facts,
      status: to,
      ...('reference' in decision ? { reference: decision.reference } : {}),
      ...(isReturn(decision) && decision.comparedWithStatement ? { comparedWithStatement: true } : {}),
    },
  };
}

function refusalOf(obstacle: Obstacle): AppError {
  switch (obstacle) {
    case 'not_reserved':
      return new AppError('withdrawal_not_reserved', {
        retryAfterSeconds: 2,
      });
    case 'not_approved':
      return new AppError('withdrawal_not_approved');
    case 'not_waiting':
      return new AppError('withdrawal_decided');
  }
}
