import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table payouts (
      id uuid primary key,
      kind text not null,
      status text not null,
      amount text not null,
      currency text not null,
      country text not null,
      msisdn text not null,
      network text not null,
      request jsonb not null,
      provider_reference text,
      failure_code text,
      created_at timestamptz not null,
      steps jsonb not null,
      step_at timestamptz,
      effects jsonb not null,
      callback_due_at timestamptz,
      callback_since timestamptz,
      callback_attempts integer not null default 0
    ) with (fillfactor = 60)`.execute(db);
  await sql`create index payouts_step_at on payouts (step_at) where step_at is not null`.execute(db);
  await sql`create index payouts_callback on payouts (callback_due_at) where callback_due_at is not null`.execute(db);
  // Actual payments, whatever the payout's row says: the truth that books are compared with.
  await sql`
    create table ledger (
      seq bigint generated always as identity primary key,
      id uuid not null unique,
      msisdn text not null,
      amount text not null,
      currency text not null,
      paid_at timestamptz not null
    )`.execute(db);
  await sql`
    create table wallets (
      currency text primary key,
      country text not null,
      balance numeric not null,
      reserved numeric not null default 0
    )`.execute(db);
  await sql`
    insert into wallets (currency, country, balance)
    values ('KES', 'KEN', 500000000000), ('TZS', 'TZA', 500000000000)`.execute(db);
  await sql`
    create table networks (
      network text primary key, status text not null, min_amount numeric not null, max_amount numeric not null
    )`.execute(db);
  await sql`create table scenarios (id uuid primary key, definition jsonb not null, created_at timestamptz not null)`.execute(
    db,
  );
  await sql`
    create table signing_keys (
      id text primary key, private_key text not null, created_at timestamptz not null default now()
    )`.execute(db);
}
