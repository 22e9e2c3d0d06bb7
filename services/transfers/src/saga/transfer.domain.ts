import type { TransferStatus } from '@vuka/contracts/http/transfers';
import type { Step } from '#db/states.ts';

export interface TransferState {
  step: Step;
  status: TransferStatus;
  /** Why it waits for somebody, in the stuck list; null while it does not. */
  waitingReason: string | null;
  failure: { code: string; message: string } | null;
}

export type TransferEvent =
  | { type: 'held'; payee: 'phone' | 'merchant' | 'to_be_approved' }
  | { type: 'hold_refused'; code: string; message: string }
  | { type: 'approved'; payee: 'phone' | 'bank' }
  | { type: 'declined'; code: string; message: string }
  | { type: 'paid_by_hand' }
  | { type: 'payout_begun' }
  | { type: 'payout_completed' }
  | { type: 'payout_failed'; code: string; message: string }
  | { type: 'booked' }
  | { type: 'released' }
  | { type: 'waiting_too_long'; reason: string };

/** Ends what a sender is told of a payout that failed: see `explainFailure`. */
export const BEING_RETURNED = 'Your money is being returned.';
const RETURNED = 'Your money is back in your wallet.';

const FINAL: readonly Step[] = ['settled', 'failed', 'cancelled'];

export function isFinal(state: { step: Step }): boolean {
  return FINAL.includes(state.step);
}

export const WAITING_FOR_PERSON: readonly Step[] = ['awaiting_approval', 'paying_by_hand'];

/** Stands still until an administrator does something: nobody looks at it again by the clock, and it is never stuck. */
export function waitsForPerson(state: { step: Step }): boolean {
  return WAITING_FOR_PERSON.includes(state.step);
}

/** The steps at which an event means something. */
const FITS: Record<TransferEvent['type'], readonly Step[]> = {
  held: ['created'],
  hold_refused: ['created'],
  approved: ['awaiting_approval'],
  declined: ['awaiting_approval', 'paying_by_hand'],
  paid_by_hand: ['paying_by_hand'],
  payout_begun: ['approved'],
  payout_completed: ['paying_out'],
  payout_failed: ['paying_out'],
  booked: ['capturing', 'depositing'],
  released: ['releasing'],
  waiting_too_long: ['created', 'depositing', 'approved', 'paying_out', 'capturing', 'releasing'],
};

/**
 * The state after an event. An event that does not fit is ignored, since delivery is at least once and answers arrive
 * late: the same state object comes back. A payout's outcome only ever counts while the payout is open.
 */
export function evolve(state: TransferState, event: TransferEvent): TransferState {
  if (!FITS[event.type].includes(state.step)) return state;
  switch (event.type) {
    case 'held':
      return AFTER_HOLD[event.payee];
    case 'approved':
      return going(event.payee === 'phone' ? 'approved' : 'paying_by_hand');
    case 'payout_begun':
      return going('paying_out');
    case 'hold_refused':
      return { ...ended('failed', 'FAILED'), failure: { code: event.code, message: event.message } };
    case 'payout_completed':
    case 'paid_by_hand':
      return going('capturing');
    case 'payout_failed':
    case 'declined':
      return { ...going('releasing'), failure: { code: event.code, message: event.message } };
    case 'booked':
      return ended('settled', 'SETTLED');
    case 'released':
      return { ...ended('failed', 'FAILED'), failure: state.failure && moneyIsBack(state.failure) };
    case 'waiting_too_long':
      return state.waitingReason === null ? { ...state, status: 'PENDING', waitingReason: event.reason } : state;
  }
}

/** The reason was written when the money was on its way back. */
function moneyIsBack<Failure extends { message: string }>(failure: Failure): Failure {
  return { ...failure, message: failure.message.replace(BEING_RETURNED, RETURNED) };
}

function going(step: Step): TransferState {
  return { step, status: 'PROCESSING', waitingReason: null, failure: null };
}

const AFTER_HOLD = {
  phone: going('paying_out'),
  merchant: going('capturing'),
  to_be_approved: { ...going('awaiting_approval'), status: 'PENDING' },
} as const satisfies Record<string, TransferState>;

function ended(step: Step, status: TransferStatus): TransferState {
  return { step, status, waitingReason: null, failure: null };
}

/** The event of a hold that the wallet refused, with what the sender reads. */
export function holdRefused(reason: string): Extract<TransferEvent, { type: 'hold_refused' }> {
  const message =
    reason === 'insufficient_funds'
      ? 'Amount exceeds available balance'
      : 'Your wallet cannot be used at the moment. Please contact support.';
  return { type: 'hold_refused', code: reason, message };
}

const HELD_NOTES = {
  phone: 'Money reserved. Sending it to the mobile network.',
  merchant: "Money reserved. Crediting the recipient's wallet.",
  to_be_approved: 'Money reserved. Waiting for approval.',
};

/** What the sender reads in the receipt's timeline. */
export function describeEvent(event: TransferEvent): string {
  switch (event.type) {
    case 'held':
      return HELD_NOTES[event.payee];
    case 'approved':
      return event.payee === 'phone' ? 'Approved.' : 'Approved. Our team is paying your bank account.';
    case 'payout_begun':
      return 'Sending it to the mobile network.';
    case 'paid_by_hand':
      return 'Your bank account has been paid.';
    case 'hold_refused':
    case 'payout_failed':
    case 'declined':
      return event.message;
    case 'payout_completed':
      return 'The mobile network has paid the recipient.';
    case 'booked':
      return 'Delivered.';
    case 'released':
      return 'The money is back in your wallet.';
    case 'waiting_too_long':
      return event.reason;
  }
}

/** Why a transfer on this step waits, said when it has waited too long. */
export function waitingReason(step: Step): string {
  if (step === 'paying_out') return 'The mobile network has not answered yet. Your money is safe; we keep asking.';
  return 'This is taking longer than usual. Your money is safe; we keep trying.';
}

/** How long until something that was away is tried again, ms. */
export function postponementMs(attempts: number): number {
  return Math.min(backoffMs(attempts, 1_000), 30_000);
}

/** How long until the next attempt, ms: doubles from `firstMs`, five minutes at most. */
export function backoffMs(attempts: number, firstMs: number): number {
  return Math.min(firstMs * 2 ** Math.min(attempts, 20), 300_000);
}
