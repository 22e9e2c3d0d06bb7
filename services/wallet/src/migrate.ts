import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrationConfig } from './config.ts';
import { migrateWallet } from './db/migrate-wallet.ts';

const TRIES = 60;

/**
 * Migrates the ledger as the owner of its tables, and ends. Run it before the service, which does not know the owner's
 * password and can therefore not undo what keeps history append-only. Waits a minute for the database.
 */
async function run(): Promise<void> {
  const settings = migrationConfig();
  const logger = createLogger({ service: 'wallet-migrations', level: settings.LOG_LEVEL });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrateWallet({
        url: settings.MIGRATION_DATABASE_URL,
        runtimeUrl: settings.DATABASE_URL,
        logger,
      });
    } catch (error) {
      if (attempt === TRIES || !isDatabaseUnavailable(error)) throw error;
      logger.warn({ err: (error as Error).message }, 'the database is unavailable, trying again');
      await delay(1_000);
    }
  }
}

run().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
