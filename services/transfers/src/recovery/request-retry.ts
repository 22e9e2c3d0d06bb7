import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import { type Caller, idOfAdmin } from '@vuka/access/caller';
import { AppError } from '@vuka/service-kit/app-error';
import { violatedUnique } from '@vuka/service-kit/database';
import { uuidv7 } from '@vuka/service-kit/ids';
import { appendToOutbox } from '@vuka/service-kit/outbox';

import type { Db, TransferRow } from '#db/schema.ts';
import { retryResult } from '#saga/carry-out-retry.ts';
import { retryCommand } from '#saga/commands.ts';
import { isFinal, waitsForPerson } from '#saga/transfer.domain.ts';

/** A retry not executed within this time was lost with its command; another may be requested. */
const OPEN_RETRY_MS = 60_000;

export interface RetryRequest {
  transferId: string;
  caller: Caller;
  reason: string;
}

/**
 * Queues a retry of an open transfer. Does nothing while another retry is queued. Throws not_found, and not_retryable
 * for a transfer that has ended or waits for an administrator's decision.
 */
export async function requestRetry(
  deps: { db: Db; now: () => Date; kickRelay: () => void },
  request: RetryRequest,
): Promise<TransferRow> {
  const transfer = await deps.db
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', request.transferId)
    .executeTakeFirst();
  if (!transfer) throw new AppError('transaction_not_found');
  if (isFinal(transfer)) {
    throw new AppError('transaction_ended', { params: { status: transfer.status.toLowerCase() } });
  }
  if (waitsForPerson(transfer)) {
    throw new AppError('withdrawal_waits');
  }
  try {
    await queueRetry(deps, transfer, request);
  } catch (error) {
    if (violatedUnique(error) !== 'one_open_retry') throw error;
  }
  deps.kickRelay();
  return transfer;
}

function queueRetry(
  deps: { db: Db; now: () => Date },
  transfer: TransferRow,
  { caller, reason }: RetryRequest,
): Promise<void> {
  const now = deps.now();
  const retryId = uuidv7(now.getTime());
  return deps.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('transaction_retries')
      .set({ finished_at: now, ...retryResult({ code: 'superseded' }), is_successful: false })
      .where('transaction_id', '=', transfer.id)
      .where('finished_at', 'is', null)
      .where('created_at', '<', new Date(now.getTime() - OPEN_RETRY_MS))
      .execute();
    await trx
      .insertInto('transaction_retries')
      .values({
        id: retryId,
        transaction_id: transfer.id,
        retry_reason: reason,
        retry_result: null,
        is_successful: null,
        admin_id: idOfAdmin(caller),
        created_at: now,
        finished_at: null,
      })
      .execute();
    await appendToOutbox(trx, [retryCommand({ transferId: transfer.id, retryId }, now)]);
    const { status, step, waiting_reason: waitingReason } = transfer;
    const action: AdminAction = {
      source: '/vuka/transfers',
      caller,
      action: 'transfer.retried',
      subject: { kind: 'transfer' as const, id: transfer.id },
      reason,
      before: { status, step, waitingReason },
      after: { retryId },
    };
    await recordAction(trx, action, now);
  });
}
