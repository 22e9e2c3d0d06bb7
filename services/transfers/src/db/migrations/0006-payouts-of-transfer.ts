import { type Kysely, sql } from 'kysely';

/** The saga asks for a transfer's payout at every step: without it each question reads every payout there ever was. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index payouts_of_transfer on money_transfers (transaction_id)`.execute(db);
}
