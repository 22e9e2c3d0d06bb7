import { type Kysely, sql } from 'kysely';

/** Businesses have higher limits, which an administrator gives them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table users add column is_business boolean not null default false`.execute(db);
}
