import { type Kysely, sql } from 'kysely';

/** Adjusting journals: entered by one administrator, booked after another has approved. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table adjustments (
      id uuid primary key,
      created_at timestamptz not null,
      requester_user_id uuid not null,
      requester_id text not null,
      requester_name text not null,
      idempotency_key text not null,
      kind text not null check (kind in ('float_top_up', 'provider_fee', 'loss', 'correction')),
      currency text not null,
      amount numeric(15, 2) not null check (amount > 0),
      from_account text not null,
      to_account text not null check (to_account <> from_account),
      reason varchar(500) not null,
      reference varchar(50) not null unique,
      status text not null check (status in ('awaiting_approval', 'approved', 'refused')),
      -- The only administrator decides alone; that action raises an alert.
      is_alone boolean not null default false,
      decider_user_id uuid,
      decider_id text,
      decider_name text,
      decided_at timestamptz,
      refusal_reason text,
      -- The journal in the ledger; null until it has answered.
      journal_id text,
      constraint adjustments_once unique (requester_user_id, idempotency_key),
      constraint adjustments_requester_is_no_decider check (is_alone or decider_user_id <> requester_user_id),
      constraint adjustments_decided_by_one check (
        num_nonnulls(decider_user_id, decider_id, decider_name, decided_at)
          = case when status = 'awaiting_approval' then 0 else 4 end),
      constraint adjustments_refused_for_a_reason check ((status = 'refused') = (refusal_reason is not null)),
      constraint adjustments_booked_if_approved check (journal_id is null or status = 'approved')
    )`.execute(db);
  await sql`create index adjustments_listed on adjustments (status, id)`.execute(db);
  await sql`
    create index adjustments_unbooked on adjustments (decided_at)
    where status = 'approved' and journal_id is null`.execute(db);
  await sql`
    create function refuse_changed_adjustment() returns trigger language plpgsql as $$
    begin
      raise exception 'adjustment % has been decided on, or would become another one', old.id using errcode = 'VK004';
    end $$`.execute(db);
  await sql`
    create trigger adjustments_decided_once before update on adjustments for each row
    when (
      (old.status <> 'awaiting_approval' and new.status <> old.status)
      or (old.journal_id is not null and new.journal_id is distinct from old.journal_id)
      or (new.id, new.kind, new.currency, new.amount, new.from_account, new.to_account, new.requester_user_id)
        is distinct from
        (old.id, old.kind, old.currency, old.amount, old.from_account, old.to_account, old.requester_user_id))
    execute function refuse_changed_adjustment()`.execute(db);
}
