import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrationConfig } from './config.ts';
import { migrateWallet } from './db/migrate-wallet.ts';

const TRIES = 60;

/**
 * Migrates the ledger as the owner of its tables, and ends. Run it before the service, which does not know the owner's
 * password and can therefore not undo what keeps history append-only. Tries for a minute, or longer while each try waits
 * for a lock.
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
      if (attempt === TRIES || !(isDatabaseUnavailable(error) || isLockTimeout(error))) throw error;
      logger.warn({ err: (error as Error).message }, 'the migrations have to wait, trying again');
      await delay(1_000);
    }
  }
}

/** A running wallet holds a lock on the table for longer than a try waits, or another process is migrating. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

run().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
