import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createDatabase } from './database.ts';
import type { Logger } from './logger.ts';

/**
 * Brings a database up to date. Several replicas may call it at once: Kysely's Migrator takes a lock. Throws on
 * failure.
 */
export async function migrate(db: Kysely<never>, migrations: Record<string, Migration>, logger: Logger): Promise<void> {
  const newer = await findNewer(db, Object.keys(migrations));
  if (newer.length > 0) {
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

/**
 * The migrations of a later release, if every one of ours was executed before them. A process that restarts during a
 * rolling upgrade, or after a step back, then runs on their tables: a migration breaks no process of the release before
 * it (CONTRIBUTING.md). Anything else that is unknown is left to the Migrator, which refuses it.
 */
async function findNewer(db: Kysely<never>, own: string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (!tables[0]?.exists) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const executed = new Set(rows.map(({ name }) => name));
  const newest = own.toSorted().at(-1) ?? '';
  const unknown = [...executed].filter((name) => !own.includes(name));
  const isLater = own.every((name) => executed.has(name)) && unknown.every((name) => name > newest);
  return isLater ? unknown : [];
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
