import { type Kysely, sql } from 'kysely';

/** The time of the change decides which settings are newer; the inbox only recorded which had been seen. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table settings add column changed_at timestamptz not null default '-infinity'`.execute(db);
  await sql`drop table inbox`.execute(db);
}
