import { type Kysely, sql } from 'kysely';

/** The latest comparison of the float with the provider's balance, one row per currency. Minor units. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table floats (
      currency text primary key,
      -- By our books, before the payouts under way.
      booked bigint not null,
      under_way bigint not null,
      provider_balance bigint not null,
      -- How far the provider's balance lies outside of what the books allow; positive: the provider has more.
      difference bigint not null,
      -- Since when it has differed; null while it agrees.
      differs_since timestamptz,
      compared_at timestamptz not null,
      constraint floats_difference_has_a_start check ((difference = 0) = (differs_since is null))
    )`.execute(db);
}
