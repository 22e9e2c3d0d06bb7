import { type Kysely, sql } from 'kysely';

/**
 * A payout without requests is stopped when its sender is blocked, if each of its requests was counted. The release before
 * leaves this false.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table money_transfers add column if not exists is_counted boolean not null default false`.execute(db);
}
