import type { CloudEvent } from '@vuka/contracts/messages/envelope';
import { type ColumnType, type Generated, type Kysely, sql, type Transaction } from 'kysely';

/**
 * The table that a service's business transactions leave their messages in. A writer sets message_id, exchange,
 * routing_key and envelope; the relay owns the rest.
 */
export interface OutboxTable {
  id: Generated<bigint>;
  message_id: string;
  exchange: string;
  routing_key: string;
  envelope: ColumnType<CloudEvent, string, never>;
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

/** Creates the outbox; every service has the same one. */
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

/**
 * Writes messages into the outbox of the transaction that they speak of, in one statement. Kick the relay after the
 * commit. A message id that is there already fails the transaction.
 */
export async function appendToOutbox<Schema extends OutboxSchema>(
  trx: Transaction<Schema>,
  messages: readonly OutboxMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map(({ exchange, envelope, routingKey }) => ({
    message_id: envelope.id,
    exchange,
    routing_key: routingKey ?? envelope.type,
    envelope,
  }));
  await sql`
    insert into outbox (message_id, exchange, routing_key, envelope)
    select message_id, exchange, routing_key, envelope
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as message(message_id uuid, exchange text, routing_key text, envelope jsonb)`.execute(trx);
}
