import type { Caller } from '@vuka/access/caller';
import type { RecoveryState } from '@vuka/contracts/http/recovery';

import type { Selectable } from 'kysely';
import type { Db, PayoutRow, Schema, TransferRow } from '#db/schema.ts';
import { getTransferFor, type TransferReader } from '#history/list-transfers.ts';
import { toReceipt } from '#history/transfer.view.ts';
import type { SagaDeps } from '#saga/step.ts';
import { isFinal, waitsForPerson } from '#saga/transfer.domain.ts';
import { legsOf } from './legs.domain.ts';

/** A transfer's progress and its earlier retries. Throws not_found. */
export async function previewRecovery(
  deps: TransferReader & Pick<SagaDeps, 'payouts'>,
  id: string,
  caller: Caller,
): Promise<RecoveryState> {
  const transfer = await getTransferFor(deps, id, caller);
  const [payout, payment, retries] = await Promise.all([
    deps.payouts.submit(transfer.id),
    findPayment(deps.db, transfer.id),
    listRetries(deps.db, transfer.id),
  ]);
  return {
    transaction: toReceipt(transfer, caller.userId),
    accountId: transfer.user_id,
    legs: legsOf({
      step: transfer.step,
      isDeposit: transfer.transaction_type === 'deposit',
      isToMerchant: transfer.recipient_user_id !== null,
      isDeclined: !payout && transfer.step === 'failed' && wasHeld(transfer),
      attempts: transfer.attempts,
      payout: payout ?? null,
    }),
    payout: payout ? toPayout(payout) : null,
    paidIntoWalletAt: payment?.created_at.toISOString() ?? null,
    retries: retries.map(toRetry),
    isRetryable: !isFinal(transfer) && !waitsForPerson(transfer),
    nextLookAt: transfer.next_action_at?.toISOString() ?? null,
  };
}

/** Failures of earlier releases have no kind: those after a decision were held. */
const wasHeld = ({ failure, resumed_at: resumedAt }: TransferRow): boolean =>
  failure ? failure.kind !== 'hold_refused' : resumedAt !== null;

/** The payment from one merchant to another. */
function findPayment(db: Db, transferId: string): Promise<{ created_at: Date } | undefined> {
  return db.selectFrom('payments').select('created_at').where('transaction_id', '=', transferId).executeTakeFirst();
}

type RetryRow = Selectable<Schema['transaction_retries']>;
const SHOWN_RETRIES = 50;

function listRetries(db: Db, transferId: string): Promise<RetryRow[]> {
  return db
    .selectFrom('transaction_retries')
    .selectAll()
    .where('transaction_id', '=', transferId)
    .orderBy('id', 'desc')
    .limit(SHOWN_RETRIES)
    .execute();
}

function toPayout(payout: PayoutRow): NonNullable<RecoveryState['payout']> {
  return {
    id: payout.id,
    provider: payout.provider,
    state: payout.state,
    requestsSent: payout.submissions,
    lastSentAt: payout.submitted_at?.toISOString() ?? null,
    failureCode: payout.failure_code,
    providerReference: payout.transfer_reference,
  };
}

function toRetry(row: RetryRow): RecoveryState['retries'][number] {
  return {
    id: row.id,
    adminId: row.admin_id,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    result: row.retry_result,
    ...(row.codes ? { resultCodes: row.codes } : {}),
    succeeded: row.is_successful,
  };
}
