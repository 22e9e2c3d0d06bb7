import { type Kysely, sql } from 'kysely';

/** Two administrators may have the same name. The release before leaves this empty. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table payout_exceptions add column if not exists owner_id text`.execute(db);
}
