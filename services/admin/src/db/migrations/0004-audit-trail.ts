import { type Kysely, sql } from 'kysely';

/**
 * The trail can only be read and appended to. The trigger refuses everything else, for every role; the service's role
 * also gives up the rights, so that only a deliberate act of the database's owner can change an entry.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table audit_trail (
      id uuid primary key,
      at timestamptz not null,
      actor_user_id uuid not null,
      actor_id text,
      actor_name text not null,
      address text,
      action text not null,
      subject_kind text not null,
      subject_id text not null,
      subject_label text,
      reason text,
      before jsonb,
      after jsonb,
      request_id text not null,
      recorded_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index audit_trail_actor on audit_trail (actor_id, id desc)`.execute(db);
  await sql`create index audit_trail_action on audit_trail (action, id desc)`.execute(db);
  await sql`create index audit_trail_subject on audit_trail (subject_id, id desc)`.execute(db);
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'VK002';
    end $$`.execute(db);
  await sql`
    create trigger audit_trail_append_only before update or delete or truncate on audit_trail
    for each statement execute function refuse_change()`.execute(db);
  await sql`revoke update, delete, truncate on audit_trail from current_user`.execute(db);
}
