import { type Kysely, sql } from 'kysely';

/**
 * When a session's PIN was last right, and which key sealed it. Existing sessions have neither, so their administrators
 * are asked for the PIN. The default is for processes of the previous release, which also open sessions.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table sessions add column pin_checked_at timestamptz, add column seal_key_id bytea`.execute(db);
  await sql`alter table sessions alter column pin_checked_at set default now()`.execute(db);
  await sql`create index users_admins on users (id) where is_admin`.execute(db);
}
