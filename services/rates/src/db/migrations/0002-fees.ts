import { type Kysely, sql } from 'kysely';

/** Rates and fees both change prices, so one counter numbers both. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table pricing_version (
      id integer primary key default 1 check (id = 1),
      version bigint not null
    )`.execute(db);
  await sql`
    insert into pricing_version (version) select coalesce(max(version), 0) from rate_history`.execute(db);
  await sql`alter table fee_config add column updated_by_name text`.execute(db);
}
