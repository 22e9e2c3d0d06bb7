import { ACCOUNT_CLOSED, AccountClosed } from '@vuka/contracts/messages/identity';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import type { Db } from '#db/schema.ts';

export const ACCOUNTS_QUEUE = 'admin.accounts';

/** Erases the messages to the person of a closed account. The register and the audit trail stay. Safe to repeat. */
export async function eraseClosedAccount({ db }: { db: Db }, { envelope }: Delivery): Promise<Disposition> {
  const closed = AccountClosed.safeParse(envelope.data);
  if (envelope.type !== ACCOUNT_CLOSED || !closed.success) return { kind: 'dead', reason: 'not a closed account' };
  const { userId, at } = closed.data;
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('closed_accounts')
      .values({ user_id: userId, closed_at: new Date(at) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await trx.deleteFrom('notifications').where('user_id', '=', userId).execute();
  });
  return { kind: 'ack' };
}

/** A message may have been written while its account was closed. */
export async function eraseLateMessages(db: Db): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('user_id', 'in', (query) => query.selectFrom('closed_accounts').select('user_id'))
    .execute();
}
