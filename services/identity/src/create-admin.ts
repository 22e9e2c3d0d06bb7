import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isTrivialPin } from '@vuka/contracts/http/users';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrateDatabase } from '@vuka/service-kit/migrate';
import { createAdmin } from './administrators/create-admin.ts';
import { adminConfig } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';
import { createPinHasher } from './pins/pin-hasher.ts';

const USAGE = 'Usage: create-admin --email <email> [--name <name>] [--phone <+...>] [--reset-pin]';

/**
 * Creates an administrator from the command line. The PIN is generated and shown once, or comes from VUKA_ADMIN_PIN.
 */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      name: { type: 'string', default: 'Administrator' },
      phone: { type: 'string', default: '' },
      'reset-pin': { type: 'boolean', default: false },
    },
  });
  if (!values.email?.includes('@')) throw new Error(USAGE);
  const settings = adminConfig();
  const pin = settings.VUKA_ADMIN_PIN ?? makePin();
  const logger = createLogger({ service: 'create-admin', level: settings.LOG_LEVEL });
  const database = createDatabase<Schema>({ url: settings.DATABASE_URL, service: 'create-admin', logger, poolSize: 1 });
  try {
    await migrateDatabase({ url: settings.DATABASE_URL, service: 'create-admin', logger, migrations });
    const { adminId, isNew } = await createAdmin(
      { db: database.db, hasher: createPinHasher(settings.VUKA_PIN_PEPPER) },
      { email: values.email, name: values.name, phone: values.phone, pin, resetPin: values['reset-pin'] },
    );
    const shown = settings.VUKA_ADMIN_PIN ? '' : ` The PIN is ${pin}: it is shown this once. Please change it.`;
    process.stdout.write(`${values.email} is ${isNew ? 'now ' : ''}administrator ${adminId}.${shown}\n`);
  } finally {
    await database.close();
  }
}

function makePin(): string {
  for (;;) {
    const pin = randomInt(10_000).toString().padStart(4, '0');
    if (!isTrivialPin(pin)) return pin;
  }
}

run().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
