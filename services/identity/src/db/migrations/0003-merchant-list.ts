import { type Kysely, sql } from 'kysely';

/**
 * Indexes for the sort orders and the search of the merchant list. `collate "C"` keeps the order the same on every
 * server; the expressions are those of merchants/list-merchants.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const column of ['username', 'full_name', 'email', 'phone', 'country', 'default_currency']) {
    const name = sql.id(`users_by_${column}`);
    await sql`create index ${name} on users ((lower(${sql.id(column)}) collate "C"), id)`.execute(db);
  }
  await sql`create index users_by_is_blocked on users (is_blocked, id)`.execute(db);
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`
    create index users_texts on users using gin
      (lower(username || ' ' || full_name || ' ' || email || ' ' || phone || ' ' || country) gin_trgm_ops)`.execute(db);
  await sql`create index merchants_texts on merchants using gin (lower(merchant_id) gin_trgm_ops)`.execute(db);
}
