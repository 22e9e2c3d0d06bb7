import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readRunFile } from './run-file.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { ROOT, readSettings } from './start-settings.ts';

/** A command of a service, and the secrets that it reads. */
const COMMANDS = {
  'create-admin': { service: 'identity', env: ({ pinPepper }: Secrets) => ({ VUKA_PIN_PEPPER: pinPepper }) },
  'unlock-admin': { service: 'identity', env: ({ pinPepper }: Secrets) => ({ VUKA_PIN_PEPPER: pinPepper }) },
  'verify-audit': { service: 'admin', env: ({ auditKey }: Secrets) => ({ VUKA_AUDIT_KEY: auditKey }) },
} as const;

/**
 * Runs a command of a service with this command line's arguments, on the running product; if none is running,
 * DATABASE_URL is the service's database.
 */
export async function runServiceCommand(name: keyof typeof COMMANDS): Promise<void> {
  const { service, env: secretsOf } = COMMANDS[name];
  const settings = readSettings({ ...process.env, NODE_ENV: 'development' });
  const run = await readRunFile(settings.dataDir);
  const env = { ...process.env };
  if (run) {
    const secrets = await loadSecrets(settings.dataDir, [], process.env, process.env.NODE_ENV === 'production');
    Object.assign(env, { DATABASE_URL: run.services[service]?.databaseUrl }, secretsOf(secrets));
  }
  const path = join(ROOT, 'services', service, 'src', `${name}.ts`);
  const child = spawn(process.execPath, [path, ...process.argv.slice(2)], { env, stdio: 'inherit' });
  child.on('exit', (code) => process.exit(code ?? 1));
}
