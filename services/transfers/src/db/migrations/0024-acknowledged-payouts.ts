import { type Kysely, sql } from 'kysely';

/** What the provider has acknowledged is never failed for being unknown to it. The release before leaves this false. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table money_transfers add column if not exists is_acknowledged boolean not null default false`.execute(db);
}
