import { type Kysely, sql } from 'kysely';

/**
 * Stores a transfer's failure as a value. Until now only the sender's sentence was stored, and its part about the money
 * was edited when the money was returned. Open transfers get a value derived from their sentence; ended ones keep only
 * the sentence.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table transactions add column failure jsonb`.execute(db);
  await sql`
    update transactions set failure = jsonb_build_object(
      'kind', case when error_message like '% Your money is being returned.' then 'payout_failed' else 'declined' end,
      'code', error_code,
      'reason', replace(error_message, ' Your money is being returned.', ''))
    where is_open and error_code is not null`.execute(db);
}
