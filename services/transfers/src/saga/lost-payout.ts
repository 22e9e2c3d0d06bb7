import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { AppError } from '@vuka/service-kit/app-error';
import type { TransferRow } from '#db/schema.ts';
import type { BooksEpoch } from '#payouts/books-epoch.ts';
import { recordCalls, toLog } from '#payouts/payout.store.ts';
import { mayHaveBeenSent, plannedPayoutId } from './planned-payout.ts';
import type { SagaDeps } from './step.ts';

/**
 * Whether the provider has a payout of a transfer for which the books have none, and has not failed it: books that lost
 * it would pay or return the money in another way. Asks only if commits may have been lost since the order. Throws
 * unavailable if the provider does not say.
 */
export async function wasSent(
  { db, provider, now }: Pick<SagaDeps, 'db' | 'provider' | 'now'>,
  transfer: TransferRow,
  epoch: BooksEpoch,
): Promise<boolean> {
  if (!mayHaveBeenSent(transfer, epoch)) return false;
  const payoutId = plannedPayoutId(transfer);
  const calls: IntegrationLog[] = [];
  const result = await provider.status(payoutId, (call) => {
    calls.push(toLog(call, { transferId: transfer.id, payoutId }, now()));
  });
  await recordCalls(db, calls);
  if (result.kind === 'ambiguous') throw new AppError('unavailable', { retryAfterSeconds: 5 });
  return result.kind === 'found' && result.report.state !== 'failed';
}
