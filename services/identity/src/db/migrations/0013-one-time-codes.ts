import { type Kysely, sql } from 'kysely';

/** Codes are computed from their ids, so the table holds none. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table one_time_codes (
      id uuid primary key,
      user_id uuid not null references users (id),
      purpose text not null check (purpose in ('verify_phone', 'verify_email', 'reset_pin')),
      -- The number or address, as it was then; a reset also goes to the email address.
      sent_to text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      wrong_attempts integer not null default 0,
      used_at timestamptz
    )`.execute(db);
  await sql`create index one_time_codes_user on one_time_codes (user_id, purpose, created_at)`.execute(db);
  await sql`create index one_time_codes_sent_to on one_time_codes (sent_to, created_at)`.execute(db);
  await sql`
    alter table users
      add column phone_verified_at timestamptz,
      add column email_verified_at timestamptz,
      add column pin_reset_at timestamptz`.execute(db);
  await sql`
    create unique index users_verified_phone on users (phone_e164) where phone_verified_at is not null`.execute(db);
}
