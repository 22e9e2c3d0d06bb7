import { readArguments } from '@vuka/service-kit/command-line';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { createHeadSigner } from './audit-trail/audit-heads.ts';
import { verifyTrail } from './audit-trail/verify-trail.ts';
import { verifyConfig } from './config.ts';
import type { Schema } from './db/schema.ts';

/** Checks from the command line that no entry of the audit trail was changed, removed or inserted. */
async function run(): Promise<void> {
  readArguments('Usage: verify-audit', { options: {} });
  const settings = verifyConfig();
  const logger = createLogger({ service: 'verify-audit', level: settings.LOG_LEVEL });
  const database = createDatabase<Schema>({ url: settings.DATABASE_URL, service: 'verify-audit', logger, poolSize: 1 });
  try {
    const signer = settings.VUKA_AUDIT_KEY ? createHeadSigner(settings.VUKA_AUDIT_KEY) : undefined;
    const { entries, heads, problem } = await verifyTrail(database.db, signer);
    if (problem) throw new Error(`THE AUDIT TRAIL DOES NOT HOLD: ${problem}.`);
    process.stdout.write(`The audit trail holds: ${entries} entries, ${heads} daily heads.\n`);
    if (!signer) process.stdout.write('Without VUKA_AUDIT_KEY the signatures of the heads were not checked.\n');
  } finally {
    await database.close();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
