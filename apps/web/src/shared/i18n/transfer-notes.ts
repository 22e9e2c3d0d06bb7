import { i18n } from './i18n.ts';
import { addSentences, translate } from './sentences.ts';

/**
 * The notes that the server writes into a transfer's lifecycle, and gives as the reason of its status, word for word.
 */
export const NOTE_MESSAGES = i18n('transfer-notes', {
  transferReceived: 'Transfer received.',
  depositReceived: 'Deposit received.',
  sending: 'Money reserved. Sending it to the mobile network.',
  crediting: "Money reserved. Crediting the recipient's wallet.",
  withdrawalReceived: 'Withdrawal received.',
  awaitingApproval: 'Money reserved. Waiting for approval.',
  approved: 'Approved.',
  approvedForBank: 'Approved. Our team is paying your bank account.',
  sendingApproved: 'Sending it to the mobile network.',
  bankPaid: 'Your bank account has been paid.',
  paid: 'The mobile network has paid the recipient.',
  delivered: 'Delivered.',
  returned: 'The money is back in your wallet.',
  unanswered: 'The mobile network has not answered yet.',
  asking: 'Your money is safe; we keep asking.',
  slow: 'This is taking longer than usual.',
  trying: 'Your money is safe; we keep trying.',
  returning: 'Your money is being returned.',
  isBack: 'Your money is back in your wallet.',
  walletClosed: 'Your wallet cannot be used at the moment. Please contact support.',
  unknownNumber: 'The mobile network does not know this number.',
  recipientLimit: "The recipient's mobile wallet cannot take this amount.",
  networkClosed: 'The mobile network is closed at the moment.',
  refused: 'The mobile network refused this transfer.',
  cancelled: 'The transfer was cancelled before it was paid.',
  notPaid: 'The mobile network could not pay the recipient.',
  notApproved: 'Not approved: {reason}',
  notPaidBecause: 'Not paid: {reason}',
});

addSentences({ name: 'transfer-notes', messages: NOTE_MESSAGES });

/** A note in the user's language, sentence by sentence; an unknown sentence stays as it is. */
export function translateNote(note: string): string {
  const whole = translate(note);
  return whole === note
    ? note
        .split(/(?<=\.) /)
        .map(translate)
        .join(' ')
    : whole;
}
