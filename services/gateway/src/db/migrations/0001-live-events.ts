import { inboxMigration } from '@vuka/service-kit/inbox';
import { outboxMigration } from '@vuka/service-kit/outbox';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table live_events (
      id bigint generated always as identity primary key,
      user_id uuid not null,
      name text not null,
      data jsonb not null,
      created_at timestamptz not null default now()
    ) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000)`.execute(db);
  await sql`create index live_events_of_user on live_events (user_id, id)`.execute(db);
  await outboxMigration.up(db);
  await inboxMigration.up(db);
}
