import { type Kysely, sql } from 'kysely';

/**
 * Where these books are written: a server, and the timeline of its write-ahead log, which changes when a standby is
 * promoted or a backup is recovered. A new place begins a new epoch, since commits of the old one may be lost.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create function books_place() returns text language sql stable as $$
      select system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
        || '/' || (select oid from pg_database where datname = current_database())
      from pg_control_system() $$`.execute(db);
  await sql`
    create table books_epoch (
      id boolean primary key default true check (id),
      place text not null,
      begun_at timestamptz not null default clock_timestamp(),
      -- The provider may already have the payouts of transfers accepted before; null in the first epoch.
      unsure_until timestamptz
    )`.execute(db);
  await sql`insert into books_epoch (place) values (books_place())`.execute(db);
  // Waits that prove something are measured by one clock, not by those of the processes that take part.
  await sql`
    create function books_now() returns timestamptz language sql volatile as $$ select clock_timestamp() $$`.execute(
    db,
  );
}
