import { type Kysely, sql } from 'kysely';

/**
 * The codes of a note and of a retry's result, beside their English text, by which the web app translates them. Entries
 * of earlier releases, and of processes of the previous release that still run, have none.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table transaction_lifecycle add column codes jsonb`.execute(db);
  await sql`alter table transaction_retries add column codes jsonb`.execute(db);
}
