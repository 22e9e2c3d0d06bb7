/** What a schema cannot say of a field, by the schema's name. */
export const FIELD_NOTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CreateTransfer: {
    clientTransactionId: 'Your key of this order: one transfer, however often it is sent',
    sourceAmount: 'What the sender pays, besides the fee',
    targetAmount: 'What the sender was shown; compared with the price, never used as an amount',
    quoteId: 'Optional: the quote of POST /api/quotes whose price applies. Without it, the current rate applies',
    fee: 'Optional: the fee that the sender was shown. If it is no longer the fee, the answer is rate_changed',
    metadata: 'Optional and ignored',
    pin: "The sender's PIN",
  },
  Notification: {
    isWithheld:
      'The message is to an administrator, and your role does not see administrators: recipient, subject, body and lastError are empty',
  },
  RedriveDeadMessages: {
    type: 'The whole type of the message; empty for any',
    diedOf: 'A part of the reason, in any case; empty for any',
    olderThanMinutes:
      'Dead for at least so long. Of a queue with more than 5,000 dead messages, the oldest 5,000 count',
    perSecond: 'How many are moved each second',
  },
};
