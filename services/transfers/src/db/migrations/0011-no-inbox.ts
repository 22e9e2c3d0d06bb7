import { type Kysely, sql } from 'kysely';

/** Never written to: a transfer's version deduplicates its commands, and a version deduplicates prices. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`drop table inbox`.execute(db);
}
