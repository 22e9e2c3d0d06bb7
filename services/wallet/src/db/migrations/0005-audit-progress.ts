import { type Kysely, sql } from 'kysely';

/** Where the audit of the ledger's history continues after a restart. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table audit_progress (
      only_row boolean primary key default true check (only_row),
      checked_to bigint not null,
      walked_to bigint not null,
      walk_began_at timestamptz
    )`.execute(db);
}
