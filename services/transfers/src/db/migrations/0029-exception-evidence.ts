import { type Kysely, sql } from 'kysely';

/** What an exception has seen, so that something new reopens it. The release before leaves this empty. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table payout_exceptions add column if not exists evidence text[] not null default '{}'`.execute(db);
}
