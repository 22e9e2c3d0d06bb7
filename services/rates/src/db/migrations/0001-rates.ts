import { outboxMigration } from '@vuka/service-kit/outbox';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table exchange_rates (
      source_currency char(3) not null,
      target_currency char(3) not null,
      rate numeric(30, 18) not null check (rate > 0),
      markup numeric(5, 2) not null check (markup between 0 and 100),
      effective_rate numeric(30, 18) not null check (effective_rate >= 0 and effective_rate <= rate),
      updated_by uuid not null,
      updated_at timestamptz not null,
      primary key (source_currency, target_currency)
    )`.execute(db);
  await sql`
    create table rate_history (
      id uuid primary key,
      version bigint generated always as identity,
      source_currency char(3) not null,
      target_currency char(3) not null,
      rate numeric(30, 18) not null,
      markup numeric(5, 2) not null,
      effective_rate numeric(30, 18) not null,
      updated_by uuid not null,
      updated_by_name text not null,
      updated_at timestamptz not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index rate_history_pair on rate_history (source_currency, target_currency, version desc)`.execute(
    db,
  );
  await sql`
    create table fee_config (
      id bigint generated always as identity primary key,
      transaction_type text not null,
      currency char(3) not null,
      min_amount numeric(18, 2) not null default 0,
      max_amount numeric(18, 2),
      fixed_fee numeric(18, 2) not null default 0 check (fixed_fee >= 0),
      percentage_fee numeric(7, 4) not null default 0 check (percentage_fee between 0 and 100),
      updated_by uuid,
      check (max_amount is null or max_amount > min_amount)
    )`.execute(db);
  await outboxMigration.up(db);
}
