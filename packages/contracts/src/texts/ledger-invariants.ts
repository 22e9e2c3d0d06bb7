/** The rules of the ledger, by their ids in the answer of the audit. */
export const LEDGER_INVARIANTS = {
  I1: 'Every journal sums to zero in each currency.',
  I2: 'The balance of every account is the sum of its entries.',
  I3: 'What an account has held is the sum of its open holds.',
  I4: 'No wallet holds or spends more than it has.',
  I5: 'The entries of an account follow each other without a gap, each balance from the one before.',
  I6: 'Every recorded result has the effect that was acknowledged, and no other.',
  I7: 'Each idempotency key has one result.',
  I8: 'All accounts of a currency together are zero.',
  I10: 'Every message of a commit is published within a minute.',
} as const;
