import type { LinkedAccountType } from '@vuka/contracts/http/linked-accounts';
import type { WithdrawalStatus } from '@vuka/contracts/http/withdrawals';
import type { Note } from '@vuka/contracts/texts/transfer-notes';
import type { PayoutState, Step } from '#db/states.ts';
import type { TransferEvent } from './transfer.domain.ts';

/** What the saga needs to know about a withdrawal, stored in its transfer's metadata. */
export interface WithdrawalFacts {
  accountType: LinkedAccountType;
  requiresApproval: boolean;
}

/** The facts of a withdrawal; undefined for any other transfer. */
export function withdrawalFactsOf(transfer: {
  transaction_type: string;
  metadata: Record<string, unknown>;
}): WithdrawalFacts | undefined {
  return transfer.transaction_type === 'withdrawal' ? (transfer.metadata as unknown as WithdrawalFacts) : undefined;
}

/** Bank withdrawals are paid by hand, so each needs approval; others need it above the limit. Minor units. */
export function needsApproval(accountType: LinkedAccountType, amount: bigint, limit: bigint): boolean {
  return accountType === 'bank' || amount > limit;
}

export interface WithdrawalStep {
  before: Step;
  after: Step;
  requiresApproval: boolean;
  /** The payout state that the step sets, if any. */
  payoutState?: PayoutState | undefined;
}

/** A withdrawal's status after a step of its transfer; null to leave it unchanged. */
export function statusAfter({ before, after, requiresApproval, payoutState }: WithdrawalStep): WithdrawalStatus | null {
  switch (after) {
    case 'created':
      return requiresApproval ? 'awaiting_approval' : 'pending';
    case 'awaiting_approval':
      return 'awaiting_approval';
    case 'approved':
    case 'paying_by_hand':
    case 'releasing':
      return 'pending';
    case 'paying_out':
      if (payoutState !== undefined && payoutState !== 'submitting') return 'payment_submitted';
      return before === 'paying_out' ? null : 'pending';
    case 'capturing':
      return 'payment_submitted';
    case 'settled':
      return 'completed';
    case 'failed':
    case 'cancelled':
      return 'failed';
    case 'depositing':
      throw new Error('a withdrawal cannot be at the step `depositing`');
  }
}

export type Decision =
  | { kind: 'approve' }
  | { kind: 'complete'; reference: string }
  | {
      kind: 'refuse' | 'fail';
      reason: string;
      /** The administrator has looked for the payment on the bank statement. */
      comparedWithStatement?: boolean | undefined;
    };

/** Why a decision is not possible now. */
export type Obstacle = 'not_reserved' | 'not_approved' | 'not_waiting';

const DECIDED_ON: Record<Decision['kind'], Step> = {
  approve: 'awaiting_approval',
  refuse: 'awaiting_approval',
  complete: 'paying_by_hand',
  fail: 'paying_by_hand',
};

/** Why a decision is not possible at this step; undefined if it is. */
export function obstacleTo(decision: Decision, step: Step): Obstacle | undefined {
  const wanted = DECIDED_ON[decision.kind];
  if (step === wanted) return undefined;
  if (wanted === 'awaiting_approval') return step === 'created' ? 'not_reserved' : 'not_waiting';
  return step === 'created' || step === 'awaiting_approval' ? 'not_approved' : 'not_waiting';
}

function because(code: 'not_approved' | 'not_paid_by_hand', { reason }: { reason: string }): Note {
  return [{ code, params: { reason } }];
}

/** The transfer event that a decision causes. */
export function eventOf(decision: Decision, accountType: LinkedAccountType): TransferEvent {
  switch (decision.kind) {
    case 'approve':
      return { type: 'approved', payee: accountType === 'bank' ? 'bank' : 'phone' };
    case 'refuse':
      return { type: 'declined', code: 'refused', reason: because('not_approved', decision) };
    case 'complete':
      return { type: 'paid_by_hand' };
    case 'fail':
      return { type: 'declined', code: 'not_paid', reason: because('not_paid_by_hand', decision) };
  }
}

/** What is stored of the decisions on a withdrawal. */
export interface Decided {
  approvedBy: string | null;
  /** Who refused it, or recorded the result of paying by hand. */
  closedBy: string | null;
  /** Of the payment by hand. */
  reference: string | null;
  errorCode: string | null;
}

/** Whether this administrator has made this decision before: its answer may have been lost. */
export function isRepeat(decision: Decision, decided: Decided, adminId: string): boolean {
  if (decision.kind === 'approve') return decided.approvedBy === adminId;
  if (decided.closedBy !== adminId) return false;
  if (decision.kind === 'complete') return decided.reference === decision.reference;
  const event = eventOf(decision, 'bank');
  return event.type === 'declined' && decided.errorCode === event.code;
}
