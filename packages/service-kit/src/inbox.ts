import { DAY_MS } from '@vuka/contracts/http/days';
import { type Generated, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { firstIdAt } from './ids.ts';
import { pruneInBatches } from './prune.ts';

/** The ids of the messages that each consumer has handled. */
export interface InboxTable {
  consumer: string;
  message_id: string;
  processed_at: Generated<Date>;
}

/** A schema with an inbox. */
export interface InboxSchema {
  inbox: InboxTable;
}

const RETENTION_DAYS = 30;

/** Creates the inbox table, the same in every service. */
export async function createInboxTable<Schema>(db: Kysely<Schema>): Promise<void> {
  await sql`
    create table inbox (
      consumer text not null,
      message_id text not null,
      processed_at timestamptz not null default now(),
      primary key (consumer, message_id)
    )`.execute(db);
  await sql`create index inbox_processed_at on inbox using brin (processed_at)`.execute(db);
}

export async function dropInboxTable<Schema>(db: Kysely<Schema>): Promise<void> {
  await sql`drop table inbox`.execute(db);
}

/** The inbox as a migration. */
export const inboxMigration = { up: createInboxTable, down: dropInboxTable };

/**
 * Claims messages for `consumer` in the transaction of their effects, and returns the ids that are new; skip and
 * acknowledge the others. A second consumer of the same message waits for the first to commit or roll back.
 */
export async function claimInbox<Schema extends InboxSchema>(
  trx: Transaction<Schema>,
  consumer: string,
  messageIds: readonly string[],
): Promise<Set<string>> {
  if (messageIds.length === 0) return new Set();
  const claimed = await claimPart(consumer, messageIds).execute(trx);
  return new Set(claimed.rows.map((row) => row.message_id));
}

/**
 * The same claim as a part of a statement that also writes the effects: it returns the `message_id` of each new
 * message.
 */
export function claimPart(consumer: string, messageIds: readonly string[]): RawBuilder<{ message_id: string }> {
  // One order for every claim, so that overlapping batches cannot deadlock.
  return sql`
    insert into inbox (consumer, message_id)
    select ${consumer}::text, message_id from unnest(${[...messageIds]}::text[]) as message_id order by message_id
    on conflict do nothing
    returning message_id`;
}

/**
 * Deletes the ids of messages handled more than 30 days ago, longer than any redelivery; returns how many. Message ids
 * begin with their time (`uuidv7`), so the primary key leads to the old ones; an index on the time of handling would cost
 * every message, and a scan of all of them grows until it never ends in time.
 */
export async function pruneInbox<Schema extends InboxSchema>(db: Kysely<Schema>): Promise<number> {
  const { rows: consumers } = await sql<{ consumer: string }>`
    with recursive known as (
      (select consumer from inbox order by consumer limit 1)
      union all
      select (select consumer from inbox where consumer > known.consumer order by consumer limit 1)
      from known where known.consumer is not null
    ) select consumer from known where consumer is not null`.execute(db);
  const oldest = firstIdAt(new Date(Date.now() - RETENTION_DAYS * DAY_MS));
  let pruned = 0;
  for (const { consumer } of consumers) {
    pruned += await pruneInBatches(
      db,
      (limit) => sql`
        delete from inbox where ctid = any(array(
          select ctid from inbox where consumer = ${consumer} and message_id < ${oldest}
            and processed_at < now() - make_interval(days => ${RETENTION_DAYS})
          order by message_id limit ${limit}))`,
    );
  }
  return pruned;
}
