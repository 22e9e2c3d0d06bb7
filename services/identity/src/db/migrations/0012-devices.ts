import { type Kysely, sql } from 'kysely';

/**
 * Sign-ins from devices that an account has not used count apart, by email and address. `unknown_sign_ins` stays for
 * processes of the previous release.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table devices (
      user_id uuid not null references users (id),
      token_hash bytea not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      primary key (user_id, token_hash)
    )`.execute(db);
  await sql`
    create index devices_token on devices (token_hash)`.execute(db);
  await sql`
    create table stranger_sign_ins (
      email_hash bytea not null,
      address text not null,
      failed_attempts integer not null,
      lock_level integer not null,
      locked_until timestamptz,
      updated_at timestamptz not null,
      primary key (email_hash, address)
    )`.execute(db);
  await sql`
    alter table sessions
      add column id uuid not null default gen_random_uuid() unique,
      add column address text not null default '',
      add column user_agent text not null default '',
      add column wrong_pins integer not null default 0`.execute(db);
}
