import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readRunFile } from './run-file.ts';
import { loadSecrets } from './secrets.ts';
import { ROOT, readSettings } from './settings.ts';

/**
 * Runs a command of identity with this command line's arguments, on the running product; if none is running,
 * DATABASE_URL is identity's database.
 */
export async function runIdentityCommand(script: 'create-admin.ts' | 'unlock-admin.ts'): Promise<void> {
  const settings = readSettings({ ...process.env, NODE_ENV: 'development' });
  const run = await readRunFile(settings.dataDir);
  const env = { ...process.env };
  if (run) {
    const secrets = await loadSecrets(settings.dataDir, [], process.env, process.env.NODE_ENV === 'production');
    env.DATABASE_URL = run.services.identity?.databaseUrl;
    env.VUKA_PIN_PEPPER = secrets.pinPepper;
  }
  const path = join(ROOT, 'services/identity/src', script);
  const child = spawn(process.execPath, [path, ...process.argv.slice(2)], { env, stdio: 'inherit' });
  child.on('exit', (code) => process.exit(code ?? 1));
}
