import { i18n } from '#shared/i18n/i18n.ts';

/** What the server writes into a transfer's lifecycle, word for word: its English is the key to the translation. */
const NOTES = {
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
  exceeds: 'Amount exceeds available balance',
  walletClosed: 'Your wallet cannot be used at the moment. Please contact support.',
  unknownNumber: 'The mobile network does not know this number. Your money is being returned.',
  recipientLimit: "The recipient's mobile wallet cannot take this amount. Your money is being returned.",
  networkClosed: 'The mobile network is closed at the moment. Your money is being returned.',
  refused: 'The mobile network refused this transfer. Your money is being returned.',
  cancelled: 'The transfer was cancelled before it was paid. Your money is being returned.',
  notPaid: 'The mobile network could not pay the recipient. Your money is being returned.',
} as const;

export const NOTE_MESSAGES = i18n('transfer-notes', NOTES);

type NoteKey = keyof typeof NOTES;

/** A note in the language on screen; one that this app does not know stays as it came. */
export function translateNote(note: string): string {
  const key = (Object.keys(NOTES) as NoteKey[]).find((known) => NOTES[known] === note);
  return key ? NOTE_MESSAGES.get()[key] : note;
}
