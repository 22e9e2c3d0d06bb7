import { inboxMigration } from '@vuka/service-kit/inbox';
import { outboxMigration } from '@vuka/service-kit/outbox';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await createTransactions(db);
  await createPayouts(db);
  await sql`
    create table quotes (
      id uuid primary key,
      user_id uuid not null,
      direction text not null,
      source_amount bigint not null check (source_amount > 0),
      target_amount bigint not null check (target_amount > 0),
      mid_amount bigint not null,
      fee bigint not null,
      exchange_rate text not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index quotes_expiry on quotes (expires_at)`.execute(db);
  await sql`
    create table pricing_copy (
      id integer primary key default 1 check (id = 1),
      version integer not null,
      pricing jsonb not null,
      updated_at timestamptz not null
    )`.execute(db);
  await outboxMigration.up(db);
  await inboxMigration.up(db);
}

async function createTransactions(db: Kysely<never>) {
  await sql`
    create table transactions (
      id uuid primary key,
      user_id uuid not null,
      recipient_user_id uuid,
      recipient_name text,
      recipient_phone text,
      sender_phone text,
      transaction_type text not null check (transaction_type in ('transfer', 'deposit', 'withdrawal', 'exchange')),
      client_transaction_id text not null,
      request_hash bytea not null,
      direction text check (direction in ('KES_TO_TZS', 'TZS_TO_KES')),
      source_amount bigint not null check (source_amount > 0),
      source_currency char(3) not null,
      target_amount bigint not null check (target_amount > 0),
      target_currency char(3) not null,
      fee bigint not null default 0 check (fee >= 0),
      mid_amount bigint not null,
      exchange_rate text,
      status text not null check (status in ('PENDING', 'PROCESSING', 'SETTLED', 'FAILED', 'CANCELLED')),
      step text not null,
      waiting_reason text,
      error_code text,
      error_message text,
      metadata jsonb not null default '{}',
      is_open boolean not null default true,
      version integer not null default 1,
      attempts integer not null default 0,
      next_action_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint transactions_once unique (user_id, client_transaction_id)
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index transactions_of_user on transactions (user_id, id desc)`.execute(db);
  await sql`
    create index transactions_of_recipient on transactions (recipient_user_id, id desc)
    where recipient_user_id is not null`.execute(db);
  // Columns that change while a transfer is open are in no index, so all updates except the last stay within the page.
  await sql`
    create index transactions_open on transactions (id) where is_open`.execute(db);
  await sql`
    create function keep_final_transactions() returns trigger language plpgsql as $$
    begin
      raise exception 'transaction % is % and final', old.id, old.status using errcode = 'VK001';
    end $$`.execute(db);
  await sql`
    create trigger transactions_final before update or delete on transactions
    for each row when (old.status in ('SETTLED', 'FAILED', 'CANCELLED')) execute function keep_final_transactions()
  `.execute(db);
  await sql`
    create table transaction_lifecycle (
      id bigint generated always as identity primary key,
      transaction_id uuid not null,
      status text not null,
      notes text,
      "timestamp" timestamptz not null
    )`.execute(db);
  await sql`create index lifecycle_of_transaction on transaction_lifecycle (transaction_id, id)`.execute(db);
}

async function createPayouts(db: Kysely<never>) {
  await sql`
    create table money_transfers (
      id uuid primary key,
      user_id uuid not null,
      transaction_id uuid not null,
      provider text not null,
      description text not null,
      destination_account text not null,
      transfer_reference text,
      status text not null default 'PENDING',
      state text not null,
      amount bigint not null check (amount > 0),
      currency char(3) not null,
      request_body text not null,
      is_alive boolean not null default true,
      submissions integer not null default 0,
      submitted_at timestamptz,
      failure_code text,
      metadata jsonb not null default '{}',
      created_at timestamptz not null,
      updated_at timestamptz not null
    ) with (fillfactor = 70)`.execute(db);
  // The database itself refuses a second live payout of a transfer.
  await sql`
    create unique index money_transfers_one_alive on money_transfers (transaction_id) where is_alive
  `.execute(db);
  await sql`
    create table payments (
      id uuid primary key,
      transaction_id uuid not null unique,
      sender_id uuid not null,
      recipient_id uuid not null,
      description text not null,
      status text not null default 'pending',
      reference varchar(50) not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create table transaction_retries (
      id uuid primary key,
      transaction_id uuid not null,
      retry_reason text not null,
      retry_result text,
      is_successful boolean,
      admin_id text not null,
      created_at timestamptz not null,
      finished_at timestamptz
    )`.execute(db);
  await sql`
    create unique index one_open_retry on transaction_retries (transaction_id) where finished_at is null`.execute(db);
  await sql`
    create table payout_exceptions (
      id uuid primary key,
      transaction_id uuid not null,
      money_transfer_id uuid not null,
      kind text not null,
      details jsonb not null,
      created_at timestamptz not null
    )`.execute(db);
}
