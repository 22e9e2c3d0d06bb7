import { inboxMigration } from '@vuka/service-kit/inbox';
import { outboxMigration } from '@vuka/service-kit/outbox';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      username text not null unique check (char_length(username) between 3 and 255),
      pin text not null,
      pin_version integer not null default 1,
      pin_failed_attempts integer not null default 0,
      pin_lock_level integer not null default 0,
      pin_locked_until timestamptz,
      email text not null check (char_length(email) <= 255),
      full_name text not null check (char_length(full_name) between 2 and 255),
      phone text not null check (char_length(phone) between 10 and 15),
      phone_e164 text,
      default_currency text not null default 'KES' check (default_currency in ('KES', 'TZS')),
      country text not null default 'Kenya' check (char_length(country) <= 100),
      is_blocked boolean not null default false,
      is_admin boolean not null default false,
      is_active boolean not null default true,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index users_email on users (lower(email))`.execute(db);
  await sql`create index users_phone on users (phone_e164)`.execute(db);
  await sql`
    create table merchants (
      id uuid primary key,
      user_id uuid not null unique references users (id),
      merchant_id varchar(15) not null unique,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table admins (
      id bigint generated always as identity primary key,
      user_id uuid not null unique references users (id),
      admin_id text not null unique check (admin_id ~ '^ADM[0-9]+$'),
      role text not null default 'ADMIN'
    )`.execute(db);
  await sql`
    create table sessions (
      id_hash bytea primary key,
      user_id uuid not null references users (id),
      seal bytea not null,
      pin_version integer not null,
      ended_by_block boolean not null default false,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index sessions_user on sessions (user_id)`.execute(db);
  await sql`
    create table unknown_sign_ins (
      email_hash bytea primary key,
      pin_failed_attempts integer not null default 0,
      pin_lock_level integer not null default 0,
      pin_locked_until timestamptz,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table settings (
      id integer primary key default 1 check (id = 1),
      max_pin_attempts integer not null default 3,
      auto_logout_minutes integer not null default 30
    )`.execute(db);
  await sql`insert into settings default values`.execute(db);
  await outboxMigration.up(db);
  await inboxMigration.up(db);
}
