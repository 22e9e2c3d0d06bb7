import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { formatMoney } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import type { TransferRow } from '#db/schema.ts';
import type { SagaDeps } from '#saga/step.ts';
import { withdrawalFactsOf } from '#saga/withdrawal.domain.ts';
import { idOfAdmin } from './decide-withdrawal.ts';

/**
 * Records that the administrator is paying a withdrawal by hand. An administrator who was paying it before loses it,
 * and the audit trail shows this. Only the payer can then record the outcome. Throws not_found, forbidden for the
 * administrator's own withdrawal and for a blocked merchant's that has no payer, and already_decided unless it is to be paid by hand.
 */
export async function takeWithdrawal(
  deps: Pick<SagaDeps, 'db' | 'identity' | 'now'>,
  id: string,
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
    const before = await trx
      .selectFrom('withdrawals')
      .select('paying_name')
      .where('transaction_id', '=', id)
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('withdrawals')
      .set({ paying_by: idOfAdmin(admin), paying_name: admin.name, paying_since: at })
      .where('transaction_id', '=', id)
      .execute();
    await recordAction(trx, actionOf(transfer, before.paying_name, admin), at);
  });
}

/**
 * The merchant may have been blocked since the approval, for reasons that concern this withdrawal. One that somebody has
 * taken may be paid already: another administrator can take it over, to record its outcome. Asked before the transaction,
 * which would otherwise keep its row locked meanwhile.
 */
async function refuseIfBlocked({ db, identity }: Pick<SagaDeps, 'db' | 'identity'>, id: string): Promise<void> {
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

function actionOf(transfer: TransferRow, payer: string | null, caller: Caller): AdminAction {
  const facts = { amount: formatMoney(transfer.source_amount), currency: transfer.source_currency };
  return {
    source: '/vuka/transfers',
    caller,
    action: 'withdrawal.taken',
    subject: { kind: 'withdrawal', id: transfer.id },
    before: { ...facts, payer },
    after: { ...facts, payer: caller.name },
  };
}
