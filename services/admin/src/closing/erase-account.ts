import { ACCOUNT_CLOSED, AccountClosed } from '@vuka/contracts/messages/identity';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import { pruneInBatches } from '@vuka/service-kit/prune';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

export const ACCOUNTS_QUEUE = 'admin.accounts';

/** Erases the messages to the person of a closed account. The register and the audit trail stay. Safe to repeat. */
export async function eraseClosedAccount({ db }: { db: Db }, { envelope }: Delivery): Promise<Disposition> {
  const closed = AccountClosed.safeParse(envelope.data);
  if (envelope.type !== ACCOUNT_CLOSED || !closed.success) return { kind: 'dead', reason: 'not a closed account' };
  const { userId, at } = closed.data;
  // Committed first: whatever happens to the deletion, `eraseLateMessages` completes it.
  await db
    .insertInto('closed_accounts')
    .values({ user_id: userId, closed_at: new Date(at) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await pruneInBatches(
    db,
    (limit) => sql`
      delete from notifications where id = any(array(
        select id from notifications where user_id = ${userId} order by id limit ${limit}))`,
  );
  return { kind: 'ack' };
}

/** A message may have been written while its account was closed. */
export async function eraseLateMessages(db: Db): Promise<void> {
  // Account by account, through the index: a join would read the messages of all users.
  await pruneInBatches(
    db,
    (limit) => sql`
      delete from notifications where id = any(array(
        select late.id from closed_accounts, lateral (
          select id from notifications where user_id = closed_accounts.user_id order by id limit ${limit}) late
        limit ${limit}))`,
  );
}
