import type { TransferStatus } from '@vuka/contracts/http/transfers';

/**
 * Where a transfer is on its way.
 * created: accepted, the money not yet known to be reserved. paying_out: reserved, and a payout is on its way.
 * capturing: the recipient is paid, or is a merchant here, and the reserved money is to be booked. releasing: it is
 * certain that nobody was paid, and the reserved money is to be given back. depositing: money from outside is to be
 * booked. The rest are final.
 */
export type Step =
  | 'created'
  | 'depositing'
  | 'paying_out'
  | 'capturing'
  | 'releasing'
  | 'settled'
  | 'failed'
  | 'cancelled';

export interface TransferState {
  step: Step;
  status: TransferStatus;
  /** Why it waits for somebody, in the stuck list; null while it does not. */
  waitingReason: string | null;
  failure: { code: string; message: string } | null;
}

export type TransferEvent =
  | { type: 'held'; payee: 'phone' | 'merchant' }
  | { type: 'hold_refused'; code: string; message: string }
  | { type: 'payout_completed' }
  | { type: 'payout_failed'; code: string; message: string }
  | { type: 'booked' }
  | { type: 'released' }
  | { type: 'waiting_too_long'; reason: string };

const FINAL: readonly Step[] = ['settled', 'failed', 'cancelled'];

export function isFinal(state: { step: Step }): boolean {
  return FINAL.includes(state.step);
}

/** The steps at which an event means something. */
const FITS: Record<TransferEvent['type'], readonly Step[]> = {
  held: ['created'],
  hold_refused: ['created'],
  payout_completed: ['paying_out'],
  payout_failed: ['paying_out'],
  booked: ['capturing', 'depositing'],
  released: ['releasing'],
  waiting_too_long: ['created', 'depositing', 'paying_out', 'capturing', 'releasing'],
};

/**
 * The state after an event. An event that does not fit is ignored, since delivery is at least once and answers arrive
 * late: the same state object comes back. A payout's outcome only ever counts while the payout is open.
 */
export function evolve(state: TransferState, event: TransferEvent): TransferState {
  if (!FITS[event.type].includes(state.step)) return state;
  switch (event.type) {
    case 'held':
      return going(event.payee === 'phone' ? 'paying_out' : 'capturing');
    case 'hold_refused':
      return { ...ended('failed', 'FAILED'), failure: { code: event.code, message: event.message } };
    case 'payout_completed':
      return going('capturing');
    case 'payout_failed':
      return { ...going('releasing'), failure: { code: event.code, message: event.message } };
    case 'booked':
      return ended('settled', 'SETTLED');
    case 'released':
      return { ...ended('failed', 'FAILED'), failure: state.failure };
    case 'waiting_too_long':
      return state.waitingReason === null ? { ...state, status: 'PENDING', waitingReason: event.reason } : state;
  }
}

function going(step: Step): TransferState {
  return { step, status: 'PROCESSING', waitingReason: null, failure: null };
}

function ended(step: Step, status: TransferStatus): TransferState {
  return { step, status, waitingReason: null, failure: null };
}

/** What the sender reads in the receipt's timeline. */
export function describeEvent(event: TransferEvent): string {
  switch (event.type) {
    case 'held':
      return event.payee === 'phone'
        ? 'Money reserved. Sending it to the mobile network.'
        : "Money reserved. Crediting the recipient's wallet.";
    case 'hold_refused':
    case 'payout_failed':
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

/** How long until the next attempt, ms: doubles from `firstMs`, five minutes at most. */
export function backoffMs(attempts: number, firstMs: number): number {
  return Math.min(firstMs * 2 ** Math.min(attempts, 20), 300_000);
}
