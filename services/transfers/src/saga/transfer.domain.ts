import type { TransferStatus } from '@vuka/contracts/http/transfers';
import { type Note, noteText } from '@vuka/contracts/texts/transfer-notes';
import type { Step, TransferFailure } from '#db/states.ts';

/**
 * The steps that Vuka carries out itself. `waitingReason` tells the sender why a step takes long; it is null until the
 * transfer is listed as stuck.
 */
type WorkingStep = 'created' | 'depositing' | 'approved' | 'paying_out' | 'capturing';

/**
 * A transfer's state. Only `releasing` and `failed` carry a failure; steps that wait for an administrator have no
 * waiting reason.
 */
export type TransferState =
  | { step: WorkingStep; waitingReason: string | null }
  | { step: 'awaiting_approval' | 'paying_by_hand' }
  | { step: 'releasing'; waitingReason: string | null; failure: TransferFailure }
  | { step: 'failed'; failure: TransferFailure }
  | { step: 'settled' | 'cancelled' };

export type TransferEvent =
  | { type: 'held'; payee: 'phone' | 'merchant' | 'to_be_approved' }
  | { type: 'hold_refused'; code: string; reason: Note }
  | { type: 'recipient_refused'; code: string; reason: Note }
  | { type: 'sender_blocked'; code: string; reason: Note }
  | { type: 'approved'; payee: 'phone' | 'bank' }
  | { type: 'declined'; code: string; reason: Note }
  | { type: 'paid_by_hand' }
  | { type: 'payout_begun' }
  | { type: 'payout_completed' }
  | { type: 'payout_failed'; code: string; reason: Note }
  | { type: 'booked' }
  | { type: 'released' }
  | { type: 'waiting_too_long'; reason: Note };

const FINAL: readonly Step[] = ['settled', 'failed', 'cancelled'];

export function isFinal(state: { step: Step }): boolean {
  return FINAL.includes(state.step);
}

export const WAITING_FOR_PERSON: readonly Step[] = ['awaiting_approval', 'paying_by_hand'];

/** Waits for an administrator: the sweep skips it, and it is never stuck. */
export function waitsForPerson(state: { step: Step }): boolean {
  return WAITING_FOR_PERSON.includes(state.step);
}

/** The steps at which each event applies. */
const FITS: Record<TransferEvent['type'], readonly Step[]> = {
  held: ['created'],
  hold_refused: ['created'],
  recipient_refused: ['created'],
  sender_blocked: ['created', 'approved', 'paying_out'],
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
 * The state after an event. An event that does not apply returns the same state object, since delivery is at least once
 * and answers arrive late. A payout's outcome counts only while the payout is open.
 */
export function evolve(state: TransferState, event: TransferEvent): TransferState {
  if (!FITS[event.type].includes(state.step)) return state;
  switch (event.type) {
    case 'held':
      return AFTER_HOLD[event.payee];
    case 'approved':
      return event.payee === 'phone' ? at('approved') : { step: 'paying_by_hand' };
    case 'payout_begun':
      return at('paying_out');
    case 'payout_completed':
    case 'paid_by_hand':
      return at('capturing');
    case 'hold_refused':
      return { step: 'failed', failure: failureOf(event) };
    case 'payout_failed':
    case 'recipient_refused':
    case 'sender_blocked':
    case 'declined':
      return { step: 'releasing', waitingReason: null, failure: failureOf(event) };
    case 'booked':
      return { step: 'settled' };
    case 'released':
      return 'failure' in state ? { step: 'failed', failure: state.failure } : state;
    case 'waiting_too_long':
      return 'waitingReason' in state && isNews(state, noteText(event.reason))
        ? { ...state, waitingReason: noteText(event.reason) }
        : state;
  }
}

/** The first reason stays, except that what was marked as late before its payout may turn out to wait for the provider. */
function isNews({ step, waitingReason }: { step: Step; waitingReason: string | null }, reason: string): boolean {
  if (waitingReason === null) return true;
  return (step === 'created' || step === 'approved') && reason === NETWORK_SILENT_TEXT && waitingReason !== reason;
}

function at(step: WorkingStep): TransferState {
  return { step, waitingReason: null };
}

const AFTER_HOLD = {
  phone: at('paying_out'),
  merchant: at('capturing'),
  to_be_approved: { step: 'awaiting_approval' },
} as const satisfies Record<string, TransferState>;

function failureOf({ type, code, reason }: Extract<TransferEvent, { reason: Note; code: string }>): TransferFailure {
  // To the sender, and to processes of the previous release, it is a payout that could not be made.
  const kind = type === 'recipient_refused' || type === 'sender_blocked' ? 'payout_failed' : type;
  return { kind, code, reason: noteText(reason), note: reason };
}

/** The public status. */
export function statusOf(state: TransferState): TransferStatus {
  if ('waitingReason' in state && state.waitingReason !== null) return 'PENDING';
  return STATUSES[state.step];
}

const STATUSES: Readonly<Record<Step, TransferStatus>> = {
  created: 'PENDING',
  depositing: 'PENDING',
  awaiting_approval: 'PENDING',
  approved: 'PROCESSING',
  paying_by_hand: 'PROCESSING',
  paying_out: 'PROCESSING',
  capturing: 'PROCESSING',
  releasing: 'PROCESSING',
  settled: 'SETTLED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
};

export function waitingReasonOf(state: TransferState): string | null {
  return 'waitingReason' in state ? state.waitingReason : null;
}

const MONEY = {
  releasing: [{ code: 'money_returning' }],
  failed: [{ code: 'money_returned' }],
} as const satisfies Record<string, Note>;

/** What the sender reads about a failure, including what happens to the money; null without a failure. */
export function failureTextOf(state: TransferState): string | null {
  if (!('failure' in state)) return null;
  const { kind, reason } = state.failure;
  return kind === 'payout_failed' ? `${reason} ${noteText(MONEY[state.step])}` : reason;
}

/** The reason for the status, as the sender reads it; null when there is nothing to explain. */
export function statusReasonOf(state: TransferState): string | null {
  return waitingReasonOf(state) ?? failureTextOf(state);
}

/** The codes of `statusReasonOf`; undefined without a reason, and for a failure of an earlier release. */
export function statusNoteOf(state: TransferState): Note | undefined {
  const waitingReason = waitingReasonOf(state);
  if (waitingReason !== null) return waitingReason === NETWORK_SILENT_TEXT ? NETWORK_SILENT : waitingNote(state.step);
  if (!('failure' in state)) return undefined;
  const { kind, note } = state.failure;
  return note && kind === 'payout_failed' ? [...note, ...MONEY[state.step]] : note;
}

/** The event for a hold that the wallet refused, with the note that the sender reads. */
export function holdRefused(reason: string): Extract<TransferEvent, { type: 'hold_refused' }> {
  const note: Note = [{ code: reason === 'insufficient_funds' ? 'insufficient_funds' : 'wallet_unusable' }];
  return { type: 'hold_refused', code: reason, reason: note };
}

const HELD_NOTES = {
  phone: 'reserved_for_network',
  merchant: 'reserved_for_recipient',
  to_be_approved: 'reserved_for_approval',
} as const;

/** The note for the receipt's timeline, read by the sender. */
export function describeEvent(event: TransferEvent): Note {
  switch (event.type) {
    case 'held':
      return [{ code: HELD_NOTES[event.payee] }];
    case 'approved':
      return [{ code: event.payee === 'phone' ? 'approved' : 'approved_for_bank' }];
    case 'payout_begun':
      return [{ code: 'payout_begun' }];
    case 'paid_by_hand':
      return [{ code: 'bank_paid' }];
    case 'hold_refused':
    case 'declined':
      return event.reason;
    case 'payout_failed':
    case 'recipient_refused':
    case 'sender_blocked':
      return [...event.reason, ...MONEY.releasing];
    case 'payout_completed':
      return [{ code: 'recipient_paid' }];
    case 'booked':
      return [{ code: 'delivered' }];
    case 'released':
      return [{ code: 'released' }];
    case 'waiting_too_long':
      return event.reason;
  }
}

/** The reason shown to the sender when a transfer waits for the provider. */
export const NETWORK_SILENT: Note = [{ code: 'network_silent' }];
export const NETWORK_SILENT_TEXT = noteText(NETWORK_SILENT);

/** The reason shown to the sender when a transfer waits too long at this step. */
export function waitingNote(step: Step): Note {
  return step === 'paying_out' ? NETWORK_SILENT : [{ code: 'taking_long' }];
}

/** The delay before retrying a call to an unavailable service, ms. */
export function postponementMs(attempts: number): number {
  return Math.min(backoffMs(attempts, 1_000), 30_000);
}

/** The longest delay, as a multiple of the first one; never more than five minutes. */
const LONGEST_BACKOFF = { times: 30, ms: 300_000 };

/** The delay before the next attempt, ms: doubles from `firstMs`, up to thirty times that or five minutes. */
export function backoffMs(attempts: number, firstMs: number): number {
  const { times, ms } = LONGEST_BACKOFF;
  return Math.min(firstMs * Math.min(2 ** Math.min(attempts, 20), times), ms);
}
