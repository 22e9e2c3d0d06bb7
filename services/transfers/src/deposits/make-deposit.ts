import { createHash } from 'node:crypto';
import type { DepositOrder } from '@vuka/contracts/internal/transfers';
import { parseMoney } from '@vuka/money';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import type { Batcher } from '@vuka/service-kit/batcher';
import { uuidv7 } from '@vuka/service-kit/ids';
import { type AccountStop, findStop, lockAccount } from '#closing/stop-account.ts';
import type { TransferRow } from '#db/schema.ts';
import { advanceTransfer } from '#saga/advance-transfer.ts';
import { NEXT_ACTION_MS, type SagaDeps } from '#saga/step.ts';
import { type ClientKey, insertTransfersOnce, type NewTransfer } from '#saga/transfer.store.ts';

export interface MakeDepositDeps extends SagaDeps {
  byClientKey: Batcher<ClientKey, TransferRow | undefined>;
}

/**
 * Deposits money from outside into a user's wallet, once per key. Throws idempotency_conflict when the key was used for
 * another movement, not_found when the account was closed first, and unavailable when the wallet gave no answer or the
 * account is being closed. Without an answer the deposit is stored and completes once the wallet is back, so it must be
 * repeated only with the same key.
 */
export async function makeDeposit(deps: MakeDepositDeps, order: DepositOrder): Promise<TransferRow> {
  const row = toRow(order, deps.now());
  const { isNew, stop } = await insertUnlessStopped(deps, row);
  const deposit = isNew ? row : await findKnown(deps, row);
  // A repeat of a deposit that was made before the stop gets the original answer.
  if (!deposit && stop) throw refusalOf(stop);
  if (!deposit?.request_hash.equals(row.request_hash)) {
    throw new AppError('deposit_order_reused');
  }
  const result = await advanceTransfer(deps, deposit.id);
  if (result?.outcome !== 'final') throw unavailable(new Error('the wallet gave no answer to a deposit'));
  return result.transfer;
}

const findKnown = ({ byClientKey }: MakeDepositDeps, { user_id: userId, client_transaction_id }: TransferRow) =>
  byClientKey.submit({ userId, clientTransactionId: client_transaction_id });

/** Takes the account's lock, so that of a deposit and a concurrent closing the second sees the first. */
async function insertUnlessStopped({ db }: MakeDepositDeps, row: TransferRow) {
  return db.transaction().execute(async (trx) => {
    await lockAccount(trx, row.user_id);
    const stop = await findStop(trx, row.user_id);
    if (stop) return { isNew: false, stop };
    const deposit: NewTransfer = { row, note: [{ code: 'deposit_received' }], messages: [] };
    const { insertions } = await insertTransfersOnce(trx, [deposit]);
    return { isNew: insertions[0] === 'new', stop };
  });
}

function refusalOf(stop: AccountStop): AppError {
  // A stopped account may resume, and the register repeats the deposit.
  return stop === 'for_good'
    ? new AppError('credit_to_closed_account')
    : unavailable(new Error('the account is being closed'));
}

function toRow(order: DepositOrder, at: Date): TransferRow {
  const amount = parseMoney(order.amount);
  const fields = [order.userId, order.currency, amount, order.description];
  return {
    id: uuidv7(at.getTime()),
    user_id: order.userId,
    recipient_user_id: null,
    recipient_name: null,
    recipient_phone: null,
    sender_phone: null,
    transaction_type: 'deposit',
    client_transaction_id: `deposit:${order.key}`,
    request_hash: createHash('sha256').update(fields.join('|')).digest(),
    direction: null,
    source_amount: amount,
    source_currency: order.currency,
    target_amount: amount,
    target_currency: order.currency,
    fee: 0n,
    mid_amount: amount,
    exchange_rate: null,
    status: 'PENDING',
    step: 'depositing',
    waiting_reason: null,
    error_code: null,
    error_message: null,
    failure: null,
    metadata: { adminId: order.adminId, description: order.description },
    is_open: true,
    version: 1,
    attempts: 0,
    next_action_at: new Date(at.getTime() + NEXT_ACTION_MS),
    created_at: at,
    updated_at: at,
    resumed_at: null,
  };
}
