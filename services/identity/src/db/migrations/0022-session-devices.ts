import { type Kysely, sql } from 'kysely';

/** The device on which a session was opened; null in sessions of the previous release. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table sessions add column device_hash bytea`.execute(db);
}
