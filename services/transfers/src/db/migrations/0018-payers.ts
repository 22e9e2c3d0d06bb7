import { type Kysely, sql } from 'kysely';

/** Which administrator is paying a withdrawal by hand, so that no other pays it too. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table withdrawals add column paying_by text, add column paying_name text, add column paying_since timestamptz`.execute(
    db,
  );
}
