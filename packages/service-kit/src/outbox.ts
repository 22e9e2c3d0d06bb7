import type { CloudEvent } from '@vuka/contracts/cloud-event';
import { type Generated, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { uuidv7 } from './ids.ts';

/**
 * The table that a service's business transactions leave their messages in, one row for all of a commit: a pack. A
 * writer sets pack_id and messages (`writeMessages`); the relay owns the rest.
 */
export interface OutboxTable {
  id: Generated<bigint>;
  pack_id: string;
  /** As they were written, for as long as the row is kept. */
  messages: string;
  /** What the broker has not taken, where it took a part of a pack alone. */
  unsent: string | null;
  created_at: Generated<Date>;
  published_at: Date | null;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  claimed_until: Date | null;
  last_error: string | null;
}

/** A schema that has an outbox. */
export interface OutboxSchema {
  outbox: OutboxTable;
}

/** A message to publish once its transaction is committed. The message id is the envelope's, a UUID. */
export interface OutboxMessage {
  exchange: string;
  envelope: CloudEvent;
  /** Defaults to the type of the envelope. */
  routingKey?: string;
}

/** What one commit leaves, in the order in which it goes out. */
export interface OutboxPack {
  /** A UUID. */
  id: string;
  messages: readonly OutboxMessage[];
}

/** Between the texts of a pack, as in a JSON text sequence (RFC 7464): no JSON text holds this character as it is. */
const SEPARATOR = '\u001e';

/** The messages as a pack keeps them. */
export function writeMessages(messages: readonly OutboxMessage[]): string {
  return messages.map(writeMessage).join(SEPARATOR);
}

function writeMessage({ exchange, routingKey, envelope }: OutboxMessage): string {
  return JSON.stringify({ exchange, routingKey: routingKey ?? envelope.type, envelope });
}

/** The messages that a pack holds, in their order. */
export function readMessages(text: string): Required<OutboxMessage>[] {
  return text.split(SEPARATOR).map((message) => JSON.parse(message) as Required<OutboxMessage>);
}

/** Every message that an outbox keeps, the oldest first: for who looks into it. It reads the whole table. */
export async function listMessages<Schema extends OutboxSchema>(
  db: Kysely<Schema>,
): Promise<Required<OutboxMessage>[]> {
  const { rows } = await sql<Pick<OutboxTable, 'messages'>>`select messages from outbox order by id`.execute(db);
  return rows.flatMap(({ messages }) => readMessages(messages));
}

/**
 * Creates the outbox as it was at first, a row for each message; `outboxPacksMigration` and `outboxUnsentMigration`
 * follow it everywhere.
 */
export async function createOutboxTable<Schema>(db: Kysely<Schema>): Promise<void> {
  await sql`
    create table outbox (
      id bigint generated always as identity primary key,
      message_id uuid not null unique,
      exchange text not null,
      routing_key text not null,
      envelope jsonb not null,
      created_at timestamptz not null default now(),
      published_at timestamptz,
      attempts integer not null default 0,
      next_attempt_at timestamptz,
      claimed_until timestamptz,
      last_error text
    ) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000)`.execute(db);
  await sql`create index outbox_unpublished on outbox (id) where published_at is null`.execute(db);
  await sql`
    do $$ begin
      alter table outbox alter column envelope set compression lz4;
    exception when feature_not_supported then null; -- a server built without lz4
    end $$`.execute(db);
}

/** Drops the outbox. */
export async function dropOutboxTable<Schema>(db: Kysely<Schema>): Promise<void> {
  await sql`drop table outbox`.execute(db);
}

/**
 * What a writer puts into `claimed_until` when it publishes from memory right after the commit: the relay takes over
 * when the writer has not managed to by then.
 */
export const CLAIMED_BY_WRITER_SQL = "clock_timestamp() + interval '15 seconds'";
export const CLAIMED_BY_WRITER = sql.raw<Date>(CLAIMED_BY_WRITER_SQL);

/** The outbox as a migration. */
export const outboxMigration = { up: createOutboxTable, down: dropOutboxTable };

/** From a row for each message to a row for each commit. What is there becomes packs of one. */
export const outboxPacksMigration = {
  async up<Schema>(db: Kysely<Schema>): Promise<void> {
    await sql`alter table outbox rename column message_id to pack_id`.execute(db);
    await sql`alter table outbox add column messages text`.execute(db);
    await sql`
      update outbox set messages =
        json_build_object('exchange', exchange, 'routingKey', routing_key, 'envelope', envelope)::text`.execute(db);
    await sql`
      alter table outbox
        alter column messages set not null, drop column exchange, drop column routing_key, drop column envelope
    `.execute(db);
    await sql`
      do $$ begin
        alter table outbox alter column messages set compression lz4;
      exception when feature_not_supported then null; -- a server built without lz4
      end $$`.execute(db);
  },
};

/** What is still to go out gets a column of its own, so that a pack keeps what was taken of it. */
export const outboxUnsentMigration = {
  async up<Schema>(db: Kysely<Schema>): Promise<void> {
    await sql`alter table outbox add column unsent text`.execute(db);
  },
};

/**
 * Writes messages into the outbox of the transaction that they speak of, as one pack. Kick the relay after the commit.
 */
export async function appendToOutbox<Schema extends OutboxSchema>(
  trx: Transaction<Schema>,
  messages: readonly OutboxMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    insert into outbox (pack_id, messages) values (${uuidv7()}, ${writeMessages(messages)})`.execute(trx);
}

/** A message to write only where the row of this id was written, or in any case where it is null. */
export interface MessageOfRow {
  rowId: string | null;
  message: OutboxMessage;
}

/**
 * The insert, as a part of a statement of many rows, of those messages whose rows were written, told by `written`, the
 * name of a part that gives their `id`. Claimed by the writer, who publishes them from memory after the commit.
 */
export function insertPack(packId: string, messages: readonly MessageOfRow[], written: string): RawBuilder<unknown> {
  const texts = writeMessages(messages.map(({ message }) => message));
  return sql`
    insert into outbox (pack_id, messages, claimed_until)
    select ${packId}::uuid, string_agg(text, ${SEPARATOR} order by position), ${CLAIMED_BY_WRITER}
    from unnest(${messages.map(({ rowId }) => rowId)}::uuid[], string_to_array(${texts}, ${SEPARATOR}))
      with ordinality as sent(row_id, text, position)
    where row_id is null or row_id in (select id from ${sql.ref(written)})
    having count(*) > 0`;
}

/** What `insertPack` left, once it is known which rows were written. */
export function packOf(id: string, messages: readonly MessageOfRow[], written: ReadonlySet<string>): OutboxPack {
  const kept = messages.filter(({ rowId }) => rowId === null || written.has(rowId));
  return { id, messages: kept.map(({ message }) => message) };
}
