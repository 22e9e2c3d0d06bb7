import { type Kysely, sql } from 'kysely';

/**
 * Makes the outbox readable as a log. Ids are assigned before commit, so a reader that orders by id misses rows that
 * commit late; the transaction id shows up to where no more rows can appear. The deletion itself records what was
 * pruned, because an old row that is still unpublished says nothing about later rows.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table outbox add column written_in xid8 not null default pg_current_xact_id()`.execute(db);
  await sql`create index outbox_log on outbox (written_in, id)`.execute(db);
  await sql`
    create table event_log_pruned (
      only_row boolean primary key default true check (only_row),
      written_in xid8 not null,
      id bigint not null
    )`.execute(db);
  await sql`insert into event_log_pruned (written_in, id) values ('0', 0)`.execute(db);
  await sql`
    create function mark_event_log_pruned() returns trigger language plpgsql as $$
    begin
      update event_log_pruned set (written_in, id) = (gone.written_in, gone.id)
      from (select written_in, id from pruned order by written_in desc, id desc limit 1) as gone
      where (event_log_pruned.written_in, event_log_pruned.id) < (gone.written_in, gone.id);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger outbox_pruned after delete on outbox referencing old table as pruned
    for each statement execute function mark_event_log_pruned()`.execute(db);
}
