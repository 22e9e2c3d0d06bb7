import { type Kysely, sql } from 'kysely';

/**
 * Administrators' passkeys and authenticator apps. Sessions of earlier releases, which have given none, have to give it
 * once an administrator has one.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table second_factors (
      id uuid primary key,
      user_id uuid not null references users (id),
      kind text not null check (kind in ('passkey', 'totp')),
      name text not null check (char_length(name) between 1 and 60),
      created_at timestamptz not null,
      last_used_at timestamptz,
      credential_id text unique,
      public_key bytea,
      signature_count bigint,
      transports text[],
      -- AES-256-GCM; the key is not in the database.
      sealed_secret bytea,
      -- The time step of the last code that was accepted: no code is accepted twice.
      last_step bigint,
      check (num_nonnulls(credential_id, public_key, signature_count, transports) = case kind when 'passkey' then 4 else 0 end),
      check (num_nonnulls(sealed_secret, last_step) = case kind when 'totp' then 2 else 0 end)
    )`.execute(db);
  await sql`create index second_factors_user on second_factors (user_id)`.execute(db);
  await sql`
    create table factor_challenges (
      session_hash bytea not null references sessions (id_hash) on delete cascade,
      purpose text not null check (purpose in ('give', 'add-passkey', 'add-totp')),
      -- A passkey's challenge, or the sealed secret of an app that is being added.
      content bytea not null,
      expires_at timestamptz not null,
      primary key (session_hash, purpose)
    )`.execute(db);
  await sql`
    create table factor_attempts (
      user_id uuid primary key references users (id),
      failed_attempts integer not null,
      lock_level integer not null,
      locked_until timestamptz
    )`.execute(db);
  await sql`alter table sessions add column factor_verified_at timestamptz`.execute(db);
}
