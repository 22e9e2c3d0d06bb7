import { type CloudEvent, toOwnForm } from '@vuka/contracts/cloud-event';
import { type Generated, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { envelopeJson } from './cloud-event.ts';
import { uuidv7 } from './ids.ts';

/**
 * The table in which a service's business transactions leave their messages, one row per commit: a pack. A writer
 * sets pack_id and messages (`writeMessages`); the relay owns the other columns.
 */
export interface OutboxTable {
  id: Generated<bigint>;
  pack_id: string;
  /** The messages as written, for as long as the row is kept. */
  messages: string;
  /** The messages that the broker has not taken, if it took only part of a pack. */
  unsent: string | null;
  created_at: Generated<Date>;
  published_at: Date | null;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  claimed_until: Date | null;
  last_error: string | null;
}

/** A schema with an outbox. */
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

/** The messages of one commit, in the order in which they are published. */
export interface OutboxPack {
  /** A UUID. */
  id: string;
  messages: readonly OutboxMessage[];
}

/**
 * Separates the texts of a pack, as in a JSON text sequence (RFC 7464): no JSON text contains this character
 * unescaped.
 */
const SEPARATOR = '\u001e';

/** Serialises the messages of a pack. */
export function writeMessages(messages: readonly OutboxMessage[]): string {
  return messages.map(writeMessage).join(SEPARATOR);
}

function writeMessage({ exchange, routingKey, envelope }: OutboxMessage): string {
  const address = JSON.stringify({ exchange, routingKey: routingKey ?? envelope.type });
  return `${address.slice(0, -1)},"envelope":${envelopeJson(envelope)}}`;
}

/** Parses the messages of a pack, in order. */
export function readMessages(text: string): Required<OutboxMessage>[] {
  return text.split(SEPARATOR).map(readMessage);
}

/**
 * The messages of a pack whose routing key begins so, each with its place in the pack. The others are not parsed: a pack
 * may hold megabytes of provider calls. `count` is the number of all.
 */
export function readMessagesTo(
  text: string,
  keyBegin: string,
): { count: number; messages: (Required<OutboxMessage> & { place: number })[] } {
  const texts = text.split(SEPARATOR);
  const messages = texts.flatMap((message, place) =>
    message.includes(`"${keyBegin}`) ? [{ ...readMessage(message), place }] : [],
  );
  return { count: texts.length, messages: messages.filter(({ routingKey }) => routingKey.startsWith(keyBegin)) };
}

function readMessage(text: string): Required<OutboxMessage> {
  const read = JSON.parse(text) as Required<OutboxMessage>;
  return { ...read, envelope: toOwnForm(read.envelope) as CloudEvent };
}

/** Every message in an outbox, oldest first, for inspection. Reads the whole table. */
export async function listMessages<Schema extends OutboxSchema>(
  db: Kysely<Schema>,
): Promise<Required<OutboxMessage>[]> {
  const { rows } = await sql<Pick<OutboxTable, 'messages'>>`select messages from outbox order by id`.execute(db);
  return rows.flatMap(({ messages }) => readMessages(messages));
}

/**
 * Creates the outbox in its first form, one row per message; `outboxPacksMigration` and `outboxUnsentMigration`
 * always follow.
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

export async function dropOutboxTable<Schema>(db: Kysely<Schema>): Promise<void> {
  await sql`drop table outbox`.execute(db);
}

/**
 * The value that a writer puts into `claimed_until` when it publishes from memory right after the commit: the relay
 * takes over if the writer has not published by then.
 */
export const CLAIMED_BY_WRITER_SQL = "clock_timestamp() + interval '15 seconds'";
export const CLAIMED_BY_WRITER = sql.raw<Date>(CLAIMED_BY_WRITER_SQL);

/** The outbox as a migration. */
export const outboxMigration = { up: createOutboxTable, down: dropOutboxTable };

/** From a row per message to a row per commit. Existing rows become packs of one. */
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

/** Unsent messages get their own column, so that a pack keeps those that were taken. */
export const outboxUnsentMigration = {
  async up<Schema>(db: Kysely<Schema>): Promise<void> {
    await sql`alter table outbox add column unsent text`.execute(db);
  },
};

/**
 * Writes messages as one pack into the outbox, in the transaction that they report. Kick the relay after the commit.
 */
export async function appendToOutbox<Schema extends OutboxSchema>(
  trx: Transaction<Schema>,
  messages: readonly OutboxMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    insert into outbox (pack_id, messages) values (${uuidv7()}, ${writeMessages(messages)})`.execute(trx);
}

/** A message to write only if the row with this id was written, or always if it is null. */
export interface MessageOfRow {
  rowId: string | null;
  message: OutboxMessage;
}

/**
 * The insert, as a part of a statement of many rows, of the messages whose rows were written. `written` names the
 * part that returns their `id`. Claimed by the writer, which publishes them from memory after the commit.
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

/** The pack that `insertPack` wrote, once it is known which rows were written. */
export function packOf(id: string, messages: readonly MessageOfRow[], written: ReadonlySet<string>): OutboxPack {
  const kept = messages.filter(({ rowId }) => rowId === null || written.has(rowId));
  return { id, messages: kept.map(({ message }) => message) };
}
