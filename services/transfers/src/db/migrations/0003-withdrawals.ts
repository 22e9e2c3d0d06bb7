import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await createAccounts(db);
  await sql`
    create table withdrawals (
      transaction_id uuid primary key,
      user_id uuid not null,
      owner_name text not null,
      merchant_id text,
      linked_account_id uuid not null references linked_accounts,
      description text not null,
      status text not null
        check (status in ('awaiting_approval', 'pending', 'payment_submitted', 'completed', 'failed')),
      amount bigint not null check (amount > 0),
      currency char(3) not null,
      recipient_account text not null check (char_length(recipient_account) >= 5),
      recipient_name text not null check (char_length(recipient_name) >= 3),
      requires_approval boolean not null,
      approved_by text,
      approved_at timestamptz,
      closed_by text,
      closed_at timestamptz,
      provider_id text,
      provider_reference_id text,
      provider_status text,
      provider_response_data jsonb,
      provider_timestamp timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index withdrawals_of_user on withdrawals (user_id, transaction_id desc)`.execute(db);
  await sql`create index withdrawals_by_status on withdrawals (status, transaction_id)`.execute(db);
  await sql`create index withdrawals_of_account on withdrawals (linked_account_id)`.execute(db);
  // When a transfer resumed after waiting for a person; lateness is measured from then, not from the order.
  await sql`alter table transactions add column resumed_at timestamptz`.execute(db);
  await sql`
    create table withdrawal_limits (
      id integer primary key default 1 check (id = 1),
      kes bigint not null default 10000000,
      tzs bigint not null default 200000000,
      changed_at timestamptz not null default '-infinity'
    )`.execute(db);
  await sql`insert into withdrawal_limits default values`.execute(db);
}

async function createAccounts(db: Kysely<never>): Promise<void> {
  await sql`
    create table linked_accounts (
      id uuid primary key,
      user_id uuid not null,
      merchant_id text,
      account_type text not null check (account_type in ('mobile_money', 'bank')),
      account_name text not null check (char_length(account_name) >= 3),
      is_active boolean not null default true,
      is_default boolean not null default false,
      currency char(3) not null check (currency in ('KES', 'TZS')),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      check (is_active or not is_default)
    )`.execute(db);
  await sql`create index linked_accounts_of_user on linked_accounts (user_id) where is_active`.execute(db);
  await sql`
    create unique index linked_accounts_one_default on linked_accounts (user_id, currency) where is_default`.execute(
    db,
  );
  await sql`
    create table mobile_money_accounts (
      linked_account_id uuid primary key references linked_accounts,
      phone_number text not null,
      carrier text not null,
      country_code char(2) not null check (country_code in ('KE', 'TZ'))
    )`.execute(db);
  await sql`
    create table bank_accounts (
      linked_account_id uuid primary key references linked_accounts,
      bank_name text not null,
      account_number text not null,
      branch_code text,
      swift_code text
    )`.execute(db);
  await sql`
    create table payment_recipients (
      linked_account_id uuid primary key references linked_accounts,
      provider_name text not null,
      recipient_code text not null,
      recipient_type text not null,
      currency char(3) not null,
      is_active boolean not null default true,
      metadata jsonb not null default '{}',
      last_used timestamptz
    )`.execute(db);
}
