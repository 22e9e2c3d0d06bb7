import { type Kysely, sql } from 'kysely';

/** Whether more than one administrator has begun to pay a withdrawal by hand. The release before leaves this false. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table withdrawals add column if not exists was_taken_over boolean not null default false`.execute(db);
}
