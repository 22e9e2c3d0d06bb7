import { inboxMigration } from '@vuka/service-kit/inbox';
import { outboxMigration } from '@vuka/service-kit/outbox';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // json, not jsonb: bodies are stored as received and never searched.
  await sql`
    create table integration_logs (
      id uuid not null,
      transaction_id text,
      money_transfer_id text,
      provider text not null,
      operation text not null,
      url text not null,
      request_method text not null,
      request_body json,
      response_body json,
      response_status integer,
      success boolean not null,
      "timestamp" timestamptz not null,
      primary key ("timestamp", id)
    ) partition by range ("timestamp")`.execute(db);
  await sql`create index integration_logs_id on integration_logs (id)`.execute(db);
  await sql`
    create index integration_logs_transaction on integration_logs (transaction_id, "timestamp" desc)
  `.execute(db);
  await inboxMigration.up(db);
  await outboxMigration.up(db);
}
