import { type Kysely, sql } from 'kysely';

/** Retries whose outcome is not known yet: they are few, and looked at each second. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create index transaction_retries_undecided on transaction_retries (transaction_id) where is_successful is null
  `.execute(db);
}
