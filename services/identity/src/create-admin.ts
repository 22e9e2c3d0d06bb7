import { randomInt } from 'node:crypto';
import { ADMIN_ROLES, type AdminRole } from '@vuka/contracts/http/admin-role';
import { isTrivialPin } from '@vuka/contracts/http/users';
import { endAsMisused, readArguments } from '@vuka/service-kit/command-line';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrateDatabase } from '@vuka/service-kit/migrate';
import { createAdmin } from './administrators/create-or-reset-admin.ts';
import { adminConfig } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Db, Schema } from './db/schema.ts';
import { createPinHasher } from './pins/pin-hasher.ts';
import { resetFactors } from './second-factors/reset-factors.ts';

const USAGE = `Usage: create-admin --email <email> [--name <name>] [--phone <+...>] [--role <${ADMIN_ROLES.join('|')}>]
       create-admin --email <email> --reset-pin
       create-admin --email <email> --reset-factors`;

/**
 * Creates an administrator from the command line, or helps one who has lost the PIN or every second factor. The PIN is
 * generated and shown once, or comes from VUKA_ADMIN_PIN.
 */
async function run(): Promise<void> {
  const { values } = readArguments(USAGE, {
    options: {
      email: { type: 'string' },
      name: { type: 'string', default: 'Administrator' },
      phone: { type: 'string', default: '' },
      role: { type: 'string', default: 'owner' },
      'reset-pin': { type: 'boolean', default: false },
      'reset-factors': { type: 'boolean', default: false },
    },
  });
  const { email } = values;
  const role = ADMIN_ROLES.find((known) => known === values.role);
  if (!email?.includes('@') || !role) endAsMisused(USAGE);
  const settings = adminConfig();
  const logger = createLogger({ service: 'create-admin', level: settings.LOG_LEVEL });
  const database = createDatabase<Schema>({ url: settings.DATABASE_URL, service: 'create-admin', logger, poolSize: 1 });
  try {
    await migrateDatabase({ url: settings.DATABASE_URL, service: 'create-admin', logger, migrations });
    const done = values['reset-factors']
      ? await reset(database.db, email)
      : await create(database.db, { ...values, email, role, resetPin: values['reset-pin'] }, settings);
    process.stdout.write(`${done}\n`);
  } finally {
    await database.close();
  }
}

async function create(
  db: Db,
  admin: { email: string; name: string; phone: string; role: AdminRole; resetPin: boolean },
  settings: ReturnType<typeof adminConfig>,
): Promise<string> {
  const pin = settings.VUKA_ADMIN_PIN ?? makePin();
  const hasher = createPinHasher(settings.VUKA_PIN_PEPPER);
  const { adminId, isNew } = await createAdmin({ db, hasher }, { ...admin, pin });
  const shown = settings.VUKA_ADMIN_PIN ? '' : ` The PIN is ${pin}: it is shown this once. Please change it.`;
  return `${admin.email} is ${isNew ? 'now ' : ''}administrator ${adminId}.${shown}`;
}

async function reset(db: Db, email: string): Promise<string> {
  const { adminId, removed } = await resetFactors({ db, now: () => new Date() }, email);
  return `${email} is administrator ${adminId}. Second factors removed: ${removed}. The sessions have ended.`;
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
