import type { BooksEpoch } from '#payouts/books-epoch.ts';
import { mayHaveBeenSent } from '#saga/planned-payout.ts';
import { withdrawalFactsOf } from '#saga/withdrawal.domain.ts';

type Withdrawal = Parameters<typeof mayHaveBeenSent>[0] & Parameters<typeof withdrawalFactsOf>[0];

/**
 * Whether a bank withdrawal may have been paid by hand although the books do not say so: a restore or a failover may
 * have lost the approval, the payer and the bank's reference. Only the bank statement shows it: an administrator must
 * look there before it is paid, or its money is returned.
 */
export function mayBePaidByHand(withdrawal: Withdrawal, epoch: BooksEpoch): boolean {
  return withdrawalFactsOf(withdrawal)?.accountType === 'bank' && mayHaveBeenSent(withdrawal, epoch);
}
