import { type Kysely, sql } from 'kysely';

/** Which settings are newer is told by the time of their change; the inbox told only which had been seen. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table settings add column changed_at timestamptz not null default '-infinity'`.execute(db);
  await sql`drop table inbox`.execute(db);
}
