import { type Kysely, sql } from 'kysely';

/** Nothing was ever written into it: a transfer's version is the inbox of its commands, a version that of the prices. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`drop table inbox`.execute(db);
}
