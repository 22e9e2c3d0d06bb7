import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table api_keys (
      id uuid primary key,
      name text not null check (char_length(name) between 1 and 60),
      ending text not null check (char_length(ending) = 4),
      key_hash bytea not null unique check (octet_length(key_hash) = 32),
      created_by uuid not null references admins (user_id),
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db);
}
