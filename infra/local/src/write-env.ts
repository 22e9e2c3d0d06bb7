import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readArguments } from '@vuka/service-kit/command-line';
import { fillIn } from './env-file.ts';
import { writePrivately } from './secrets.ts';
import { ROOT } from './start-settings.ts';

// `npm run env`: writes .env for containers, with new secrets.
readArguments('Usage: npm run env', { options: {} });
const file = join(ROOT, '.env');
if (existsSync(file)) {
  console.error(`${file} exists, and may hold the only copy of secrets in use: it is not overwritten.`);
  process.exitCode = 1;
} else {
  await writePrivately(file, fillIn(await readFile(join(ROOT, '.env.example'), 'utf8')));
  console.log(`${file} is written, with new secrets that only you can read. Keep a copy in a safe place.`);
}
