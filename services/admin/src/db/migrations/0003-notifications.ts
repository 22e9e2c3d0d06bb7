import { createInboxTable } from '@vuka/service-kit/inbox';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table notifications (
      id uuid primary key,
      -- What it is about: one event makes at most one message to a person over a channel.
      event_id uuid not null,
      user_id uuid not null,
      channel text not null check (channel in ('email', 'sms')),
      recipient text not null,
      subject text,
      body text not null,
      status text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'kept')),
      attempts integer not null default 0,
      next_attempt_at timestamptz,
      sent_at timestamptz,
      last_error text,
      created_at timestamptz not null,
      constraint notifications_once unique (event_id, user_id, channel)
    )`.execute(db);
  await sql`create index notifications_due on notifications (next_attempt_at) where status = 'pending'`.execute(db);
  await createInboxTable(db);
}
