import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import { type Caller, idOfAdmin } from '@vuka/access/caller';
import type { WithdrawalTaken } from '@vuka/contracts/internal/withdrawals';
import { formatMoney } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import { sql, type Transaction } from 'kysely';
import type { Schema, TransferRow } from '#db/schema.ts';
import { readEpoch } from '#payouts/books-epoch.ts';
import type { SagaDeps } from '#saga/step.ts';
import { withdrawalFactsOf } from '#saga/withdrawal.domain.ts';
import { hasOtherPayer, paidByOther } from './decide-withdrawal.ts';
import { mayBePaidByHand } from './paid-by-hand.domain.ts';
import { isPayerRecent } from './withdrawal.store.ts';

const HOUR_MS = 3_600_000;

export interface TakeDeps extends Pick<SagaDeps, 'db' | 'identity' | 'now' | 'logger'> {
  /** How far the bank's statement may lag behind payments by hand, ms. */
  bankLagMs: number;
}

/**
 * Records that the administrator is paying a withdrawal by hand, instead of the payer whom they were shown; the audit
 * trail names both. Only the payer can then record the outcome. Throws not_found; forbidden for the administrator's own
 * withdrawal and for a blocked merchant's that has no payer; already_decided if it is not to be paid by hand, if another
 * administrator has taken it meanwhile or too recently for the bank statement to show their payment, or if it may
 * have been paid already, by another payer or in lost books, and was not compared with the bank statement.
 */
export async function takeWithdrawal(
  deps: TakeDeps,
  { id, comparedWithStatement, payingSince }: WithdrawalTaken,
  admin: Caller,
): Promise<void> {
  await refuseIfBlocked(deps, id);
  const at = deps.now();
  await deps.db.transaction().execute(async (trx) => {
    // The new version makes a concurrent decision fail that was based on the row before; it then reads the row again.
    const transfer = await trx
      .updateTable('transactions')
      .set((row) => ({ version: row('version', '+', 1) }))
      .where('id', '=', id)
      .where('step', '=', 'paying_by_hand')
      .returningAll()
      .executeTakeFirst();
    if (!transfer) throw new AppError('withdrawal_not_payable');
    if (!withdrawalFactsOf(transfer)) throw new AppError('withdrawal_not_found');
    if (transfer.user_id === admin.userId) throw new AppError('withdrawal_of_own');
    const before = await readPayer(trx, id, deps.bankLagMs);
    const isTaken = hasOtherPayer(before, admin);
    if (isTaken) mustBeTakeable(before, payingSince, deps);
    // The other payer may have paid it without recording that.
    const mayBePaid = isTaken || mayBePaidByHand(transfer, await readEpoch(trx, deps.logger));
    if (mayBePaid && !comparedWithStatement) throw new AppError('withdrawal_may_be_paid');
    await trx
      .updateTable('withdrawals')
      .set({ paying_by: idOfAdmin(admin), paying_name: admin.name, paying_since: sql<Date>`books_now()` })
      .$if(isTaken, (update) => update.set({ was_taken_over: true }))
      .where('transaction_id', '=', id)
      .execute();
    const record = actionOf(transfer, { before: before.paying_name, comparedWithStatement }, admin);
    await recordAction(trx, record, at);
  });
}

/** Who is paying it, and whether that began so recently that the bank statement may not show a payment of theirs. */
function readPayer(trx: Transaction<Schema>, id: string, bankLagMs: number) {
  return trx
    .selectFrom('withdrawals')
    .select(['paying_by', 'paying_name', 'paying_since'])
    .select(isPayerRecent(bankLagMs).as('isRecent'))
    .where('transaction_id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Throws if the payer is not the one who was shown, or if the bank statement may not show their payment yet. */
function mustBeTakeable(
  { paying_name: name, paying_since: since, isRecent }: Awaited<ReturnType<typeof readPayer>>,
  shown: string | null | undefined,
  { bankLagMs }: TakeDeps,
): void {
  if (since?.toISOString() !== shown) throw paidByOther(name);
  const hours = String(Math.ceil(bankLagMs / HOUR_MS));
  if (isRecent) throw new AppError('withdrawal_taken_recently', { params: { name: name ?? '', hours } });
}

/**
 * The merchant may have been blocked since the approval, for reasons that concern this withdrawal. One that an administrator has
 * taken may be paid already: another administrator can take it over, to record its outcome. Asked before the transaction,
 * which would otherwise keep its row locked meanwhile.
 */
async function refuseIfBlocked({ db, identity }: TakeDeps, id: string): Promise<void> {
  const transfer = await db
    .selectFrom('transactions')
    .innerJoin('withdrawals', 'withdrawals.transaction_id', 'transactions.id')
    .select('transactions.user_id')
    .where('transactions.id', '=', id)
    .where('step', '=', 'paying_by_hand')
    .where('paying_by', 'is', null)
    .executeTakeFirst();
  if (transfer && (await identity.isBlocked(transfer.user_id))) throw new AppError('withdrawal_of_blocked_account');
}

function actionOf(
  transfer: TransferRow,
  { before, comparedWithStatement }: { before: string | null; comparedWithStatement?: boolean | undefined },
  caller: Caller,
): AdminAction {
  const facts = { amount: formatMoney(transfer.source_amount), currency: transfer.source_currency };
  return {
    source: '/vuka/transfers',
    caller,
    action: 'withdrawal.taken',
    subject: { kind: 'withdrawal', id: transfer.id },
    before: { ...facts, payer: before },
    after: { ...facts, payer: caller.name, ...(comparedWithStatement ? { comparedWithStatement } : {}) },
  };
}
