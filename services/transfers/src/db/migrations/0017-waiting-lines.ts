import { type Kysely, sql } from 'kysely';

/**
 * Payments on a provider's statement whose payout was still open when the day was compared. They are compared again
 * when the payout has ended, which may be days later.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table waiting_statement_lines (
      payout_id uuid primary key,
      amount_minor bigint not null,
      currency text not null,
      msisdn text not null,
      recorded_at timestamptz not null,
      -- When the ended payout was compared with it; kept until no later day can miss the payment.
      compared_at timestamptz
    )`.execute(db);
  await sql`create index waiting_statement_lines_open on waiting_statement_lines (payout_id) where compared_at is null`.execute(
    db,
  );
  await sql`alter table reconciliations add column waiting integer`.execute(db);
}
