import type { Note } from '@vuka/contracts/texts/transfer-notes';

/**
 * The internal steps of a transfer.
 * created: accepted; the hold is not yet confirmed.
 * awaiting_approval: held; an administrator must decide.
 * approved: approved; the payout has not begun.
 * paying_by_hand: approved; a person pays the bank.
 * paying_out: held; a payout is in progress.
 * capturing: the recipient is paid, or is a merchant here; the hold must be captured.
 * releasing: the recipient was provably not paid; the hold must be released.
 * depositing: money from outside must be booked.
 * The others are final.
 */
export type Step =
  | 'created'
  | 'depositing'
  | 'awaiting_approval'
  | 'approved'
  | 'paying_by_hand'
  | 'paying_out'
  | 'capturing'
  | 'releasing'
  | 'settled'
  | 'failed'
  | 'cancelled';

/** A payout's state. `completed` and `failed` are final; `unknown` means the outcome is unresolved. */
export type PayoutState =
  | 'submitting'
  | 'accepted'
  | 'enqueued'
  | 'processing'
  | 'reconciling'
  | 'completed'
  | 'failed'
  | 'unknown';

/**
 * A transfer's failure. `reason` is for the sender, in English, and does not mention the money: `failureTextOf` adds
 * that. `note` has its code; it is missing in failures of earlier releases.
 */
export interface TransferFailure {
  kind: 'hold_refused' | 'payout_failed' | 'declined';
  code: string;
  reason: string;
  note?: Note;
}
