import { type Kysely, sql } from 'kysely';

/**
 * The failure of a transfer as a value. Until now only the sender's sentence was stored, in which what becomes of the
 * money was edited when it came back. Open transfers get the value of their sentence; ended ones keep only that.
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
