import { type Kysely, sql } from 'kysely';

/**
 * Accounts that are closed, or are being closed. No order is accepted from a stopped account and no payment is counted
 * to it, since its limits are used up until the end of time: processes of the previous release observe that too.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table closed_accounts (
      user_id uuid primary key,
      stopped_at timestamptz not null,
      -- When a stop ends by itself; null once the account is closed.
      resumes_at timestamptz,
      -- What the user had used of their limits, for when the account resumes.
      usage jsonb
    )`.execute(db);
  await sql`create index closed_accounts_resuming on closed_accounts (resumes_at) where resumes_at is not null`.execute(
    db,
  );
}
