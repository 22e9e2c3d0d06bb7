import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // The payout's id is not unique here, so that a second payment of the same payout is reported, too.
  await sql`
    create table payment_reports (
      reference uuid primary key default gen_random_uuid(),
      id uuid not null,
      msisdn text not null,
      amount text not null,
      currency text not null,
      paid_at timestamptz not null
    )`.execute(db);
}
