import { endAsMisused, readArguments } from '@vuka/service-kit/command-line';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrateDatabase } from '@vuka/service-kit/migrate';
import { unlockOnServer } from './blocking/unlock-on-server.ts';
import { unlockConfig } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';

const USAGE = 'Usage: unlock-admin --email <email>';

/** Unlocks an administrator from the command line. Identity publishes the audit trail's entry. */
async function run(): Promise<void> {
  const { values } = readArguments(USAGE, { options: { email: { type: 'string' } } });
  const { email } = values;
  if (!email?.includes('@')) endAsMisused(USAGE);
  const settings = unlockConfig();
  const logger = createLogger({ service: 'unlock-admin', level: settings.LOG_LEVEL });
  const database = createDatabase<Schema>({ url: settings.DATABASE_URL, service: 'unlock-admin', logger, poolSize: 1 });
  try {
    await migrateDatabase({ url: settings.DATABASE_URL, service: 'unlock-admin', logger, migrations });
    const { adminId, wasLocked } = await unlockOnServer({ db: database.db, now: () => new Date() }, email);
    const outcome = wasLocked
      ? 'The lock is off, and the audit trail says so: they can try their PIN again now.'
      : 'There was no lock and no wrong PIN. Nothing was changed.';
    process.stdout.write(`${email} is administrator ${adminId}. ${outcome}\n`);
  } finally {
    await database.close();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
