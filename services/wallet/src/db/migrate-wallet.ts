import type { Logger } from '@vuka/service-kit/logger';
import { migrateDatabase } from '@vuka/service-kit/migrate';
import { type Kysely, sql } from 'kysely';
import { migrations } from './migrations/migrations.ts';

/**
 * Migrates the database as its owner. If the service runs under a different role, grants that role only what it needs:
 * history can be read and appended to, never changed. Throws while the database is unavailable.
 */
export async function migrateWallet(options: { url: string; runtimeUrl: string; logger: Logger }): Promise<void> {
  const runtimeRole = decodeURIComponent(new URL(options.runtimeUrl).username);
  const owner = decodeURIComponent(new URL(options.url).username);
  const isOwnRole = runtimeRole === '' || runtimeRole === owner;
  await migrateDatabase({
    ...options,
    service: 'wallet',
    migrations,
    ...(isOwnRole ? {} : { afterwards: (db) => grantRuntimeRights(db, runtimeRole) }),
  });
}

async function grantRuntimeRights(db: Kysely<never>, role: string): Promise<void> {
  const to = sql.id(role);
  await sql`grant usage on schema public to ${to}`.execute(db);
  await sql`grant select, insert on accounts, journals, ledger_entries, holds, deposits, kept_sums to ${to}`.execute(
    db,
  );
  await sql`
    grant update (posted_minor, held_minor, seq, version, updated_at, frozen_at) on accounts to ${to}`.execute(db);
  await sql`grant update (state, resolved_by) on holds to ${to}`.execute(db);
  await sql`grant select, insert, update, delete on outbox to ${to}`.execute(db);
  await sql`grant select, insert, update on audit_state, audit_progress to ${to}`.execute(db);
  await sql`grant select on user_balances to ${to}`.execute(db);
  // Lets the role see that no migration is pending.
  await sql`grant select on kysely_migration, kysely_migration_lock to ${to}`.execute(db);
  await sql`grant usage on sequence ledger_batches to ${to}`.execute(db);
}
