import { type Kysely, sql } from 'kysely';

/** The saga looks up a transfer's payout at every step; without this index, each lookup would read every payout. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index payouts_of_transfer on money_transfers (transaction_id)`.execute(db);
}
