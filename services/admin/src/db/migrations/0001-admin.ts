import { outboxMigration } from '@vuka/service-kit/outbox';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table admin_deposits (
      id uuid primary key,
      admin_id text not null,
      admin_user_id uuid not null,
      idempotency_key text not null,
      kind text not null check (kind in ('deposit', 'credit')),
      beneficiary_user_id uuid not null,
      beneficiary_id text not null,
      amount numeric(18, 2) not null check (amount > 0),
      currency char(3) not null check (currency in ('KES', 'TZS', 'USD')),
      reason text not null check (char_length(reason) between 1 and 500),
      reference varchar(50) not null unique,
      transaction_id uuid,
      created_at timestamptz not null,
      constraint admin_deposits_once unique (admin_user_id, idempotency_key)
    )`.execute(db);
  await sql`create index admin_deposits_open on admin_deposits (created_at) where transaction_id is null`.execute(db);
  await sql`
    create table settings (
      id integer primary key default 1 check (id = 1),
      system_name text not null default 'Vuka',
      support_email text not null default 'support@vuka.test',
      max_pin_attempts integer not null default 3 check (max_pin_attempts between 1 and 10),
      auto_logout_minutes integer not null default 30 check (auto_logout_minutes between 5 and 120),
      email_notifications boolean not null default true,
      sms_notifications boolean not null default true,
      login_alerts boolean not null default true,
      transaction_alerts boolean not null default true,
      updated_by text,
      updated_at timestamptz
    )`.execute(db);
  await sql`insert into settings default values`.execute(db);
  await outboxMigration.up(db);
}
