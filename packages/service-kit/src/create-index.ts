import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * Creates an index in a migration, unless an operator has created it beforehand: `create index if not exists` locks
 * writers out before it looks. Replaces one that a failed `create index concurrently` has left invalid.
 */
export async function createIndex(db: Kysely<never>, name: string, definition: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${name}) and indisvalid`.execute(db);
  if (rows.length > 0) return;
  await sql`drop index if exists ${sql.id(name)}`.execute(db);
  await definition.execute(db);
}
