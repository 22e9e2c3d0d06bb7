import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { AppError } from '@vuka/service-kit/app-error';
import type { BooksEpoch } from '#payouts/books-epoch.ts';
import { recordCalls, toLog } from '#payouts/payout.store.ts';
import { mayHaveBeenSent, plannedPayoutId } from '#saga/planned-payout.ts';
import type { SagaDeps } from '#saga/step.ts';
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

type Refused = Withdrawal & Parameters<typeof plannedPayoutId>[0] & { id: string };

/**
 * Call before a withdrawal to a phone is refused. Books that lost its approval may also have lost its payout, which has
 * the same id after another approval. Throws withdrawal_sent if the provider has it and has not failed it, and
 * unavailable if the provider does not say.
 */
export async function mustBeUnsent(
  { db, provider, now }: Pick<SagaDeps, 'db' | 'provider' | 'now'>,
  withdrawal: Refused,
  epoch: BooksEpoch,
): Promise<void> {
  if (withdrawalFactsOf(withdrawal)?.accountType === 'bank' || !mayHaveBeenSent(withdrawal, epoch)) return;
  const payoutId = plannedPayoutId(withdrawal);
  const calls: IntegrationLog[] = [];
  const result = await provider.status(payoutId, (call) => {
    calls.push(toLog(call, { transferId: withdrawal.id, payoutId }, now()));
  });
  await recordCalls(db, calls);
  if (result.kind === 'ambiguous') throw new AppError('unavailable', { retryAfterSeconds: 5 });
  if (result.kind === 'found' && result.report.state !== 'failed') throw new AppError('withdrawal_sent');
}
