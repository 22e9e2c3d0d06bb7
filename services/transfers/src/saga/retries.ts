import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import { type AdvanceOutcome, advanceTransfer } from './advance-transfer.ts';
import type { SagaDeps } from './step.ts';

/** Executes a queued retry and records the result so far; `closeRetries` records the final outcome. Safe to repeat. */
export async function carryOutRetry(deps: SagaDeps, retry: { transferId: string; retryId: string }): Promise<void> {
  const result = await advanceTransfer(deps, retry.transferId, { isRetry: true });
  await deps.db
    .updateTable('transaction_retries')
    .set({
      finished_at: deps.now(),
      retry_result: describe(result),
      is_successful: hasSucceeded(result),
    })
    .where('id', '=', retry.retryId)
    .where('finished_at', 'is', null)
    .execute();
}

/** Records the outcome of retries whose transfers have ended since. */
export async function closeRetries(db: Db): Promise<void> {
  await sql`
    update transaction_retries as retry
    set is_successful = transfer.status = 'SETTLED', retry_result = 'ended as ' || transfer.status
    from transactions as transfer
    where retry.is_successful is null and retry.finished_at is not null
      and transfer.id = retry.transaction_id and not transfer.is_open`.execute(db);
}

/** Whether the transfer has settled; null while its outcome is unknown. */
function hasSucceeded(result: AdvanceOutcome | undefined): boolean | null {
  if (!result) return false;
  return result.outcome === 'final' ? result.transfer.status === 'SETTLED' : null;
}

function describe(result: AdvanceOutcome | undefined): string {
  if (!result) return 'the transfer does not exist';
  if (result.outcome === 'final') return `ended as ${result.transfer.status}`;
  if (result.outcome === 'postponed') return 'postponed: a required service is unavailable';
  return 'still waiting for the provider';
}
