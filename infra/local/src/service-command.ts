import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readRunFile } from './run-file.ts';
import { readSecrets } from './secrets.ts';
import { buildServices, builtScript } from './service-build.ts';
import { SERVICE_COMMANDS } from './services.ts';
import { ROOT, readSettings } from './start-settings.ts';

/**
 * Runs a command of a service with this command line's arguments, on the running product; if none is running,
 * DATABASE_URL is the service's database.
 */
export async function runServiceCommand(name: keyof typeof SERVICE_COMMANDS): Promise<void> {
  const { service, script, env: secretsOf } = SERVICE_COMMANDS[name];
  const settings = readSettings({ ...process.env, NODE_ENV: 'development' });
  const run = await readRunFile(settings.dataDir);
  const env = { ...process.env };
  if (run) {
    const secrets = await readSecrets(settings.dataDir, process.env);
    Object.assign(env, { DATABASE_URL: run.services[service]?.databaseUrl }, secretsOf(secrets));
  }
  await buildServices(() => undefined);
  const child = spawn(process.execPath, [builtScript(join(ROOT, script)), ...process.argv.slice(2)], {
    env,
    stdio: 'inherit',
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}
