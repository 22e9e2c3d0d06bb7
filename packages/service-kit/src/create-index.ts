import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * Creates an index in a migration, unless an operator has created it beforehand: `create index if not exists` locks
 * writers out before it looks. Throws if it exists and is invalid: `create index concurrently` is still building it, or
 * has failed. To drop it here would lock readers out of the table, and could drop one that has become valid meanwhile.
 */
export async function createIndex(db: Kysely<never>, name: string, definition: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ indisvalid: boolean }>`
    select indisvalid from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  const [found] = rows;
  if (found && !found.indisvalid)
    throw new Error(
      `the index ${name} is invalid: wait for the command that creates it; if that has failed, run "drop index concurrently ${name}"`,
    );
  if (!found) await definition.execute(db);
}
