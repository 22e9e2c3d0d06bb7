import { RETRY_RESULTS } from '@vuka/contracts/texts/retry-results';
import { fill, type Params } from '@vuka/contracts/texts/text';
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
      ...retryResult(describe(result)),
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
    set is_successful = transfer.status = 'SETTLED',
      retry_result = replace(${RETRY_RESULTS.ended}, '{status}', transfer.status),
      codes = jsonb_build_array(
        jsonb_build_object('code', 'ended', 'params', jsonb_build_object('status', transfer.status)))
    from transactions as transfer
    where retry.is_successful is null and retry.finished_at is not null
      and transfer.id = retry.transaction_id and not transfer.is_open`.execute(db);
}

/** Whether the transfer has settled; null while its outcome is unknown. */
function hasSucceeded(result: AdvanceOutcome | undefined): boolean | null {
  if (!result) return false;
  return result.outcome === 'final' ? result.transfer.status === 'SETTLED' : null;
}

function describe(result: AdvanceOutcome | undefined): RetryResult {
  if (!result) return { code: 'transfer_missing' };
  if (result.outcome === 'final') return { code: 'ended', params: { status: result.transfer.status } };
  return { code: result.outcome === 'postponed' ? 'postponed' : 'waiting_for_provider' };
}

interface RetryResult {
  code: keyof typeof RETRY_RESULTS;
  params?: Params;
}

/** The columns of a retry's result: its English text and its code. */
export function retryResult({ code, params }: RetryResult): { retry_result: string; codes: string } {
  return { retry_result: fill(RETRY_RESULTS[code], params), codes: JSON.stringify([{ code, params }]) };
}
