import { type RawBuilder, sql } from 'kysely';
import type { TransferRow } from '#db/schema.ts';
import { type BooksEpoch, hasEpochLasted } from '#payouts/books-epoch.ts';
import { inquire } from '#payouts/payout.store.ts';
import type { PayoutReport } from '#payouts/payout-provider.ts';
import { mayHaveBeenSent, plannedPayoutId } from './planned-payout.ts';
import type { SagaDeps } from './step.ts';
import { NETWORK_SILENT_TEXT } from './transfer.domain.ts';

/** `unclear`: the provider did not say, or does not know a payout that may still be sent. */
export type LostPayout = { kind: 'none' | 'unclear' } | { kind: 'found'; report: PayoutReport };

/**
 * The payout of a transfer for which the books have none, unless the provider has failed it: books that lost it would
 * pay or return the money in another way. Asks only if commits may have been lost since the order.
 * That the provider does not know it counts only once the epoch has lasted for the grace time: a worker of the lost books
 * may send it until then.
 */
export async function findLostPayout(
  deps: Pick<SagaDeps, 'db' | 'provider' | 'now' | 'payoutGraceMs'>,
  transfer: TransferRow,
  epoch: BooksEpoch,
): Promise<LostPayout> {
  if (!mayHaveBeenSent(transfer, epoch)) return { kind: 'none' };
  const isPastGrace = await hasEpochLasted(deps.db, deps.payoutGraceMs);
  const result = await inquire(deps, { transferId: transfer.id, payoutId: plannedPayoutId(transfer) });
  if (result.kind === 'ambiguous') return { kind: 'unclear' };
  if (result.kind === 'not_found') return { kind: isPastGrace ? 'none' : 'unclear' };
  if (result.report.state === 'failed') return { kind: 'none' };
  return { kind: 'found', report: result.report };
}

/** Transfers whose next step needs an answer of the provider. */
export const WAITS_FOR_PROVIDER: RawBuilder<boolean> = sql`(
  step = 'paying_out' or (step in ('created', 'approved') and waiting_reason is not distinct from ${NETWORK_SILENT_TEXT}))`;
