import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Logger } from './logger.ts';

/**
 * Brings a database up to date. Several replicas may call it at once: Kysely's Migrator takes a
 * lock. Throws on failure.
 */
export async function migrate(db: Kysely<never>, migrations: Record<string, Migration>, logger: Logger): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  for (const result of results ?? []) {
    if (result.status === 'Success') logger.info({ migration: result.migrationName }, 'migrated');
  }
  if (error) throw error;
}
