import { type Kysely, sql } from 'kysely';

/**
 * Chains the audit trail: each entry has the hash of the one before it and its own, which the database computes when the
 * entry is added, so that entries of a process of the previous release are chained too. A changed, removed or inserted
 * entry breaks the chain. `audit_heads` has the last entry of each day, signed; without them the end could be cut off.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table audit_trail add column position bigint, add column previous_hash bytea, add column hash bytea`.execute(
    db,
  );
  await sql`create unique index audit_trail_position on audit_trail (position)`.execute(db);
  await addHash(db);
  await sql`
    create function chain_audit_entry() returns trigger language plpgsql as $$
    declare
      last record;
    begin
      perform pg_advisory_xact_lock(hashtextextended('audit_trail', 0));
      select position, hash into last from audit_trail where position is not null order by position desc limit 1;
      new.position := coalesce(last.position, 0) + 1;
      new.previous_hash := coalesce(last.hash, '\\x');
      new.hash := audit_entry_hash(new);
      return new;
    end $$`.execute(db);
  await chainExisting(db);
  await sql`
    create trigger audit_trail_chained before insert on audit_trail
    for each row execute function chain_audit_entry()`.execute(db);
  await sql`
    create table audit_heads (
      day date primary key,
      position bigint not null,
      hash bytea not null,
      key_id text not null,
      signature bytea not null,
      signed_at timestamptz not null
    )`.execute(db);
  await sql`
    create trigger audit_heads_append_only before update or delete or truncate on audit_heads
    for each statement execute function refuse_change()`.execute(db);
  await sql`revoke update, delete, truncate on audit_heads from current_user`.execute(db);
}

/** Each field with its length before it, so that no two entries have the same text. */
async function addHash(db: Kysely<never>): Promise<void> {
  await sql`
    create function audit_entry_hash(entry audit_trail) returns bytea language sql as $$
      select sha256(entry.previous_hash || convert_to(string_agg(coalesce(length(field) || ':' || field, '-'), ','
        order by place), 'UTF8'))
      from unnest(array[
        entry.position::text, entry.id::text, (extract(epoch from entry.at) * 1000000)::bigint::text,
        entry.actor_user_id::text, entry.actor_id, entry.actor_name, entry.address, entry.action, entry.subject_kind,
        entry.subject_id, entry.subject_label, entry.reason, entry.before::text, entry.after::text, entry.request_id
      ]) with ordinality as fields(field, place)
    $$`.execute(db);
}

/** In the order in which the entries were added. The migration alone may change them. */
async function chainExisting(db: Kysely<never>): Promise<void> {
  await sql`grant update on audit_trail to current_user`.execute(db);
  await sql`alter table audit_trail disable trigger audit_trail_append_only`.execute(db);
  await sql`
    do $$
    declare
      entry audit_trail;
      last bytea := '\\x';
      place bigint := 0;
    begin
      for entry in select * from audit_trail order by recorded_at, id loop
        place := place + 1;
        entry.position := place;
        entry.previous_hash := last;
        last := audit_entry_hash(entry);
        update audit_trail set position = place, previous_hash = entry.previous_hash, hash = last where id = entry.id;
      end loop;
    end $$`.execute(db);
  await sql`alter table audit_trail enable trigger audit_trail_append_only`.execute(db);
  await sql`revoke update on audit_trail from current_user`.execute(db);
}
