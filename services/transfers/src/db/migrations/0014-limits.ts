import { proposalsMigration } from '@vuka/access/proposals';
import { type Kysely, sql } from 'kysely';

/**
 * Limits on what a user sends and receives. `limits` has the tiers that administrators have changed; the others have
 * the defaults. `limit_usage` has one row per user, currency and side, and no index besides its key, so that counting an
 * order is an update in place.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table limits (
      tier text not null,
      currency text not null,
      per_transaction bigint not null check (per_transaction > 0),
      per_day bigint not null check (per_day >= per_transaction),
      per_month bigint not null check (per_month >= per_day),
      per_day_in bigint not null check (per_day_in > 0),
      per_month_in bigint not null check (per_month_in >= per_day_in),
      changed_by uuid not null,
      changed_at timestamptz not null,
      primary key (tier, currency)
    )`.execute(db);
  await sql`
    create table limit_usage (
      user_id uuid not null,
      currency text not null,
      side text not null check (side in ('out', 'in')),
      day date not null,
      day_amount bigint not null,
      day_allowed bigint not null,
      month date not null,
      month_amount bigint not null,
      month_allowed bigint not null,
      primary key (user_id, currency, side),
      constraint limit_usage_day check (day_amount between 0 and day_allowed),
      constraint limit_usage_month check (month_amount between 0 and month_allowed)
    ) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02)`.execute(db);
  await proposalsMigration.up(db);
}
