import { type Kysely, sql } from 'kysely';

/** Closed accounts, whose messages are erased, also those that are written while the account is being closed. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table closed_accounts (user_id uuid primary key, closed_at timestamptz not null)`.execute(db);
  await sql`create index notifications_user on notifications (user_id, id)`.execute(db);
  await sql`
    create index admin_deposits_beneficiary on admin_deposits (beneficiary_user_id, id)`.execute(db);
}
