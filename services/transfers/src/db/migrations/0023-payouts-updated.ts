import { createIndex } from '@vuka/service-kit/create-index';
import { type Kysely, sql } from 'kysely';

/**
 * Finds the payouts that were completed on a day. With the index on their creation, each reconciliation read the payouts of
 * a whole month. A payout's versions are near each other and written within seconds, so a summary of each range of pages
 * suffices; unlike a B-tree it lets updates stay on their page (HOT).
 */
export async function up(db: Kysely<never>): Promise<void> {
  const definition = sql`create index money_transfers_updated on money_transfers using brin (updated_at)`;
  await createIndex(db, 'money_transfers_updated', definition);
  await sql`drop index if exists money_transfers_created`.execute(db);
}
