import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createDatabase } from './database.ts';
import type { Logger } from './logger.ts';

/**
 * Brings a database up to date. Several replicas may call it at once: Kysely's Migrator takes a lock. Throws on
 * failure.
 */
export async function migrate(db: Kysely<never>, migrations: Record<string, Migration>, logger: Logger): Promise<void> {
  const own = Object.keys(migrations);
  const executed = await readExecuted(db);
  if (hasAll(executed, own)) {
    const newer = executed.filter((name) => !own.includes(name));
    if (newer.length > 0)
      logger.info({ newer }, 'the database is of a later release, whose migrations this one can run beside');
    return;
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  for (const result of results ?? []) {
    if (result.status === 'Success') logger.info({ migration: result.migrationName }, 'migrated');
  }
  if (error) throw error;
}

async function readExecuted(db: Kysely<never>): Promise<string[]> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (!tables[0]?.exists) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Whether every one of our migrations was executed, before those of a later release if there are any. A process that
 * restarts then has nothing to do, and the Migrator's look at the whole catalogue would only delay it. During a rolling
 * upgrade, or after a step back, it runs on the later release's tables: a migration breaks no process of the release
 * before it (CONTRIBUTING.md). Anything else that is unknown is left to the Migrator, which refuses it.
 */
function hasAll(executed: readonly string[], own: readonly string[]): boolean {
  const newest = own.toSorted().at(-1) ?? '';
  return own.every((name) => executed.includes(name)) && executed.every((name) => own.includes(name) || name > newest);
}

/** A statement that waits for a table lock blocks every later statement on that table. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Like `migrate`, over a separate connection without a statement timeout: with the service's timeout, a long
 * migration would be rolled back again and again. Waits 2 s for a lock, then throws, as it does while the database is
 * unavailable: try again. `afterwards` runs on the same connection.
 */
export async function migrateDatabase(options: {
  url: string;
  service: string;
  logger: Logger;
  migrations: Record<string, Migration>;
  afterwards?: (db: Kysely<never>) => Promise<void>;
}): Promise<void> {
  const { url, service, logger, migrations } = options;
  const limits = { statementTimeoutMs: 0, lockTimeoutMs: LOCK_TIMEOUT_MS };
  const { db, close } = createDatabase<never>({
    url,
    service: `${service}-migrations`,
    logger,
    poolSize: 1,
    ...limits,
  });
  try {
    await migrate(db, migrations, logger);
    await options.afterwards?.(db);
  } finally {
    await close();
  }
}
