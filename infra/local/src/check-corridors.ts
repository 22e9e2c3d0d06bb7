import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCorridorLiterals } from './corridor-literals.ts';
import { ROOT } from './start-settings.ts';

// Part of `npm run check`: currencies, countries, calling codes, directions and mobile networks are named only in their
// table, in tests, and in migrations, which are history.
const EXCEPTIONS: Record<string, string> = {
  'packages/test-kit/src/callers.ts': 'the people of tests',
  'apps/web/src/pages/auth-page.tsx': 'the tagline is one sentence of the specification, translated as a whole',
};
const TABLE = /^packages\/money\/src\/(corridors|mobile-networks|testing\/.*)\.ts$/;

const used = new Set<string>();
for await (const file of glob('{apps,services,packages,infra}/*/src/**/*.{ts,tsx}', { cwd: ROOT })) {
  if (TABLE.test(file) || file.includes('.test.') || file.includes('/migrations/')) continue;
  const found = findCorridorLiterals(await readFile(join(ROOT, file), 'utf8'));
  if (found.length === 0) continue;
  used.add(file);
  if (file in EXCEPTIONS) continue;
  for (const line of found) console.error(`${file}:${line}`);
  process.exitCode = 1;
}
for (const file of Object.keys(EXCEPTIONS)) {
  if (used.has(file)) continue;
  console.error(`${file}: an exception that is not needed`);
  process.exitCode = 1;
}
