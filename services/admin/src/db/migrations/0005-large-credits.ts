import { type Kysely, sql } from 'kysely';

/**
 * A credit above the limit is in the register without a movement until a second administrator has approved it. Its
 * row names the movement in the ledger, so that repeated attempts are one movement.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table settings
    add column credit_approval_limit_kes numeric(12, 0) not null default 10000000 check (credit_approval_limit_kes >= 0),
    add column credit_approval_limit_tzs numeric(12, 0) not null default 200000000 check (credit_approval_limit_tzs >= 0)
  `.execute(db);
  await sql`
    alter table admin_deposits
    add column approval text not null default 'not_needed'
      check (approval in ('not_needed', 'awaiting_approval', 'approved', 'refused')),
    add column admin_name text,
    add column beneficiary_name text,
    add column checker_user_id uuid,
    add column checker_id text,
    add column checker_name text,
    add column decided_at timestamptz,
    add column refusal_reason text,
    add constraint admin_deposits_maker_is_no_checker check (checker_user_id <> admin_user_id),
    add constraint admin_deposits_beneficiary_is_no_checker check (checker_user_id <> beneficiary_user_id),
    add constraint admin_deposits_decided_by_somebody check (
      num_nonnulls(checker_user_id, checker_id, checker_name, decided_at)
        = case when approval in ('approved', 'refused') then 4 else 0 end),
    add constraint admin_deposits_refused_for_a_reason check ((approval = 'refused') = (refusal_reason is not null)),
    add constraint admin_deposits_moved_if_agreed check (
      transaction_id is null or approval in ('not_needed', 'approved'))`.execute(db);
  await sql`drop index admin_deposits_open`.execute(db);
  await sql`
    create index admin_deposits_open on admin_deposits (created_at)
    where transaction_id is null and approval in ('not_needed', 'approved')`.execute(db);
  await sql`
    create index admin_deposits_large on admin_deposits (approval, id) where approval <> 'not_needed'`.execute(db);
  await sql`
    create function refuse_second_decision() returns trigger language plpgsql as $$
    begin
      raise exception 'deposit % has been decided on', old.id using errcode = 'VK003';
    end $$`.execute(db);
  await sql`
    create trigger admin_deposits_decided_once before update on admin_deposits
    for each row when (old.approval <> 'awaiting_approval' and new.approval <> old.approval)
    execute function refuse_second_decision()`.execute(db);
}
