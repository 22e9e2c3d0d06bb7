import { i18n } from './i18n.ts';
import { addSentences, translate } from './sentences.ts';

/** What the server writes into a transfer's lifecycle, and gives as the reason of its status, word for word. */
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
  unanswered: 'The mobile network has not answered yet. Your money is safe; we keep asking.',
  slow: 'This is taking longer than usual. Your money is safe; we keep trying.',
  walletClosed: 'Your wallet cannot be used at the moment. Please contact support.',
  unknownNumber: 'The mobile network does not know this number. Your money is being returned.',
  recipientLimit: "The recipient's mobile wallet cannot take this amount. Your money is being returned.",
  networkClosed: 'The mobile network is closed at the moment. Your money is being returned.',
  refused: 'The mobile network refused this transfer. Your money is being returned.',
  cancelled: 'The transfer was cancelled before it was paid. Your money is being returned.',
  notPaid: 'The mobile network could not pay the recipient. Your money is being returned.',
  notApproved: 'Not approved: {reason}',
  notPaidBecause: 'Not paid: {reason}',
});

addSentences({ name: 'transfer-notes', messages: NOTE_MESSAGES });

/** A note in the language on screen; one that this app does not know stays as it came. */
export const translateNote = translate;
