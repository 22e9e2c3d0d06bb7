import { ACCOUNT_CLOSED, AccountClosed } from '@vuka/contracts/messages/identity';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import { sql } from 'kysely';
import type { Db, Trx } from '#db/schema.ts';
import { deleteUnpaid } from './delete-unpaid.ts';
import { exhaustLimits } from './exhausted-limits.ts';
import { lockAccount } from './stop-account.ts';

export const ACCOUNTS_QUEUE = 'transfers.accounts';

/**
 * Erases the data of a closed account that need not be kept: its linked accounts, its quotes, and stored answers to
 * repeated requests. Transfers and withdrawals are records of payments and stay. Safe to repeat.
 */
export async function eraseClosedAccount(
  { db, now }: { db: Db; now: () => Date },
  { envelope }: Delivery,
): Promise<Disposition> {
  const closed = AccountClosed.safeParse(envelope.data);
  if (envelope.type !== ACCOUNT_CLOSED || !closed.success) return { kind: 'dead', reason: 'not a closed account' };
  const { userId } = closed.data;
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId);
    const known = await trx.selectFrom('closed_accounts').select('user_id').where('user_id', '=', userId).execute();
    // The stop may have expired just before the account was closed, so the limits are used up again.
    if (known.length === 0) await exhaustLimits(trx, userId);
    const forGood = { resumes_at: null, usage: null };
    await trx
      .insertInto('closed_accounts')
      .values({ user_id: userId, stopped_at: now(), ...forGood })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(forGood))
      .execute();
    await eraseLinkedAccounts(trx, userId);
    await trx.deleteFrom('quotes').where('user_id', '=', userId).execute();
    await trx.deleteFrom('first_answers').where('user_id', '=', userId).execute();
  });
  return { kind: 'ack' };
}

/**
 * A linked account that was paid keeps its row, since withdrawals reference it. The withdrawals record where they paid
 * to.
 */
async function eraseLinkedAccounts(trx: Trx, userId: string): Promise<void> {
  const own = sql`(select id from linked_accounts where user_id = ${userId})`;
  await deleteUnpaid(trx, own);
  await sql`update mobile_money_accounts set phone_number = '' where linked_account_id in ${own}`.execute(trx);
  await sql`
    update bank_accounts set account_number = '', branch_code = null, swift_code = null
    where linked_account_id in ${own}`.execute(trx);
  await sql`
    update payment_recipients set recipient_code = '', is_active = false, metadata = '{}'
    where linked_account_id in ${own}`.execute(trx);
  await sql`
    update linked_accounts set account_name = 'Closed account', merchant_id = null, is_active = false, is_default = false
    where user_id = ${userId}`.execute(trx);
}
