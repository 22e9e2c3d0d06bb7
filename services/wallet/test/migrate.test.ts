import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createLedgerHarness } from './harness.ts';

const SCRIPT = join(import.meta.dirname, '../src/migrate.ts');

test('migrations wait for a lock that another transaction holds for longer than one attempt', async () => {
  const ledger = await createLedgerHarness('migrate');
  const holder = new pg.Client({ connectionString: ledger.url });
  await holder.connect();
  try {
    await holder.query('begin; lock table kysely_migration');
    const env = { ...process.env, DATABASE_URL: ledger.url, MIGRATION_DATABASE_URL: ledger.url, LOG_LEVEL: 'warn' };
    const migrating = spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(migrating, 'exit');
    // Either the attempt is reported and repeated, or the process has given up.
    await Promise.race([once(migrating.stdout, 'data'), ended]);
    await holder.query('rollback');
    expect(await ended).toEqual([0, null]);
  } finally {
    await holder.end();
    await ledger.stop();
  }
});
