import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table reconciliations (
      id uuid primary key,
      day date not null,
      provider text not null,
      state text not null check (state in ('running', 'completed', 'failed')),
      started_at timestamptz not null,
      finished_at timestamptz,
      lines int,
      matched int,
      differences int,
      error text,
      requested_by text,
      constraint reconciliations_end check ((state = 'running') = (finished_at is null))
    )`.execute(db);
  await sql`create unique index reconciliations_one_running on reconciliations (provider) where state = 'running'`.execute(
    db,
  );
  await sql`create index reconciliations_newest on reconciliations (started_at desc)`.execute(db);
  // A payment unknown to the books has neither a transaction nor a payout of ours.
  await sql`alter table payout_exceptions
    alter column transaction_id drop not null,
    add column state text not null default 'open' check (state in ('open', 'resolved')),
    add column owner text,
    add column note text,
    add column resolved_at timestamptz,
    add column is_from_statement boolean not null default false,
    add constraint payout_exceptions_resolved check ((state = 'resolved') = (resolved_at is not null and note is not null))`.execute(
    db,
  );
  // A difference that appears again on a later statement is the same exception.
  await sql`create unique index payout_exceptions_of_statement on payout_exceptions (money_transfer_id, kind)
    where is_from_statement`.execute(db);
  await sql`create index payout_exceptions_open on payout_exceptions (created_at) where state = 'open'`.execute(db);
  // Read once a day. A BRIN index is smaller than a page and costs nothing when a payout is updated.
  await sql`create index money_transfers_created on money_transfers using brin (created_at)`.execute(db);
}
