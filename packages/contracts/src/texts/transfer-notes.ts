import { fill, type Params, type ParamsOf } from './text.ts';

/** The sentences of a transfer's timeline, and of the reason for its status. The sender reads them. */
export const TRANSFER_NOTES = {
  transfer_received: 'Transfer received.',
  deposit_received: 'Deposit received.',
  withdrawal_received: 'Withdrawal received.',
  reserved_for_network: 'Money reserved. Sending it to the mobile network.',
  reserved_for_recipient: "Money reserved. Crediting the recipient's wallet.",
  reserved_for_approval: 'Money reserved. Waiting for approval.',
  approved: 'Approved.',
  approved_for_bank: 'Approved. Our team is paying your bank account.',
  payout_begun: 'Sending it to the mobile network.',
  bank_paid: 'Your bank account has been paid.',
  recipient_paid: 'The mobile network has paid the recipient.',
  delivered: 'Delivered.',
  released: 'The money is back in your wallet.',
  network_silent: 'The mobile network has not answered yet. Your money is safe; we keep asking.',
  taking_long: 'This is taking longer than usual. Your money is safe; we keep trying.',
  insufficient_funds: 'Amount exceeds available balance',
  wallet_unusable: 'Your wallet cannot be used at the moment. Please contact support.',
  not_approved: 'Not approved: {reason}',
  not_paid_by_hand: 'Not paid: {reason}',
  sender_blocked: 'Not sent, because your account was blocked.',
  number_unknown: 'The mobile network does not know this number.',
  recipient_limit_reached: 'The recipient cannot receive this amount at the moment.',
  amount_above_recipient_limit: "The recipient's mobile wallet cannot take this amount.",
  network_closed: 'The mobile network is closed at the moment.',
  network_refused: 'The mobile network refused this transfer.',
  cancelled: 'The transfer was cancelled before it was paid.',
  not_paid: 'The mobile network could not pay the recipient.',
  money_returning: 'Your money is being returned.',
  money_returned: 'Your money is back in your wallet.',
} as const;

type NoteCode = keyof typeof TRANSFER_NOTES;

/** A note: mostly one code; after a failed payout a second one says where the money is. */
export type Note = readonly {
  [Code in NoteCode]: keyof ParamsOf<(typeof TRANSFER_NOTES)[Code]> extends never
    ? { code: Code; params?: never }
    : { code: Code; params: ParamsOf<(typeof TRANSFER_NOTES)[Code]> };
}[NoteCode][];

/** A note in English. */
export function noteText(note: Note): string {
  return note
    .map(({ code, params }: { code: NoteCode; params?: Params }) => fill(TRANSFER_NOTES[code], params))
    .join(' ');
}
