/**
 * Where a transfer is on its way.
 * created: accepted, the money not yet known to be reserved. awaiting_approval: reserved, and an administrator has to
 * agree. approved: they have, and the payout is to be begun. paying_by_hand: they have, and a person pays a bank.
 * paying_out: reserved, and a payout is on its way.
 * capturing: the recipient is paid, or is a merchant here, and the reserved money is to be booked. releasing: it is
 * certain that nobody was paid, and the reserved money is to be given back. depositing: money from outside is to be
 * booked. The rest are final.
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

/** Where a payout stands. `completed` and `failed` are final; `unknown` is an open question. */
export type PayoutState =
  | 'submitting'
  | 'accepted'
  | 'enqueued'
  | 'processing'
  | 'reconciling'
  | 'completed'
  | 'failed'
  | 'unknown';

/** Why a transfer fails. `reason` is for the sender and says nothing about the money: `statusReasonOf` adds that. */
export interface TransferFailure {
  kind: 'hold_refused' | 'payout_failed' | 'declined';
  code: string;
  reason: string;
}
