import { type Kysely, sql } from 'kysely';

/** Retries without a known outcome: there are few, and they are read every second. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create index transaction_retries_undecided on transaction_retries (transaction_id) where is_successful is null
  `.execute(db);
}
