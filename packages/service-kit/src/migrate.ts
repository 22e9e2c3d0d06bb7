import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createDatabase } from './database.ts';
import type { Logger } from './logger.ts';

/**
 * Brings a database up to date. Several replicas may call it at once: Kysely's Migrator takes a lock. Throws on
 * failure.
 */
export async function migrate(db: Kysely<never>, migrations: Record<string, Migration>, logger: Logger): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  for (const result of results ?? []) {
    if (result.status === 'Success') logger.info({ migration: result.migrationName }, 'migrated');
  }
  if (error) throw error;
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
