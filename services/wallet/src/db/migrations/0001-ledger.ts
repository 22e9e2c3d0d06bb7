import { createOutboxTable } from '@vuka/service-kit/outbox';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// No foreign keys between these tables: each would cost a lookup per row in the system's hottest statement. The writer
// takes every id from a row that it has locked or is writing, and the audit finds rows whose references do not exist.
const TABLES = `
  -- Changing columns have no index and pages have free space, so every balance update stays on its page (HOT).
  create table accounts (
    id bigint generated always as identity primary key,
    code text not null unique,
    user_id uuid,
    currency text not null check (currency in ('KES', 'TZS', 'USD')),
    posted_minor bigint not null default 0,
    held_minor bigint not null default 0 check (held_minor >= 0),
    seq bigint not null default 0,
    version bigint not null default 0,
    floor_minor bigint,
    frozen_at timestamptz,
    opened_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint accounts_floor check (floor_minor is null or posted_minor - held_minor >= floor_minor),
    constraint accounts_wallet_has_floor check ((user_id is null) = (floor_minor is null))
  ) with (fillfactor = 50);
  create index accounts_user on accounts (user_id) where user_id is not null;

  create table journals (
    id bigint primary key,
    key text not null constraint journals_key unique,
    request_hash text not null,
    kind text not null check (kind in ('hold', 'capture', 'release', 'deposit')),
    rejection text,
    hold_id bigint,
    transfer_id uuid not null,
    created_at timestamptz not null default now()
  );

  -- The primary key and balance_after_minor form a gapless chain per account: a lost update violates the key, and
  -- a balance at any time is one lookup.
  create table ledger_entries (
    account_id bigint not null,
    account_seq bigint not null,
    journal_id bigint not null,
    currency text not null,
    amount_minor bigint not null check (amount_minor <> 0),
    balance_after_minor bigint not null,
    primary key (account_id, account_seq)
  );
  create index ledger_entries_journal on ledger_entries (journal_id);

  create table holds (
    id bigint primary key,
    account_id bigint not null,
    transfer_id uuid not null,
    amount_minor bigint not null check (amount_minor > 0),
    state text not null check (state in ('open', 'captured', 'released')),
    expires_at timestamptz,
    resolved_by bigint,
    constraint holds_resolved_by_a_journal check ((state = 'open') = (resolved_by is null))
  );
  create index holds_open on holds (account_id, expires_at) where state = 'open';

  create table deposits (
    journal_id bigint primary key,
    transaction_id uuid not null,
    user_id uuid not null,
    admin_id uuid not null,
    currency text not null,
    amount_minor bigint not null check (amount_minor > 0),
    description text not null,
    created_at timestamptz not null default now()
  );

  create table audit_state (
    id text primary key,
    last_held_at timestamptz
  );

  -- One value per batch; the ids of its journals start at the value times 512.
  create sequence ledger_batches;

  create view user_balances as
    select user_id, currency, (posted_minor - held_minor) / 100.0 as balance, updated_at
    from accounts where user_id is not null`;

const GUARDS = `
  create function must(holds boolean, what text) returns boolean language plpgsql as $$
  begin
    if holds is not true then
      raise exception 'the ledger refuses to commit: %', what using errcode = 'VK001';
    end if;
    return true;
  end $$;

  create function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is append-only', tg_table_name using errcode = 'VK002';
  end $$;

  create trigger journals_append_only before update or delete or truncate on journals
    for each statement execute function refuse_change();
  create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
    for each statement execute function refuse_change();
  create trigger deposits_append_only before update or delete or truncate on deposits
    for each statement execute function refuse_change();
  create trigger holds_resolve_once before update on holds for each row
    when (old.state <> 'open' or new.id <> old.id or new.account_id <> old.account_id
      or new.amount_minor <> old.amount_minor or new.transfer_id <> old.transfer_id)
    execute function refuse_change();
  create trigger holds_stay before delete or truncate on holds
    for each statement execute function refuse_change()`;

async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db);
  await sql.raw(GUARDS).execute(db);
  await createOutboxTable(db);
}

export const ledgerMigration: Migration = { up };
