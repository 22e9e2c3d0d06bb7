import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readRunFile } from './run-file.ts';
import { loadSecrets } from './secrets.ts';
import { ROOT, readSettings } from './settings.ts';

// `npm run admin:create -- --email <email>`: for the product that runs here; else DATABASE_URL is identity's database.
const settings = readSettings({ ...process.env, NODE_ENV: 'development' });
const run = await readRunFile(settings.dataDir);
const env = { ...process.env };
if (run) {
  const secrets = await loadSecrets(settings.dataDir, [], process.env, process.env.NODE_ENV === 'production');
  env.DATABASE_URL = run.services.identity?.databaseUrl;
  env.VUKA_PIN_PEPPER = secrets.pinPepper;
}
const script = join(ROOT, 'services/identity/src/create-admin.ts');
const child = spawn(process.execPath, [script, ...process.argv.slice(2)], { env, stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
