import { readFile, writeFile } from 'node:fs/promises';
import { breakingChanges } from './breaking-changes.ts';
import { describeApi } from './describe-api.ts';

const target = new URL('../../../../docs/openapi.json', import.meta.url);
const document = await describeApi();
const committed = await readFile(target, 'utf8').catch(() => undefined);
const broken = committed === undefined ? [] : breakingChanges(JSON.parse(committed), document);

if (broken.length > 0 && !process.argv.includes('--breaking')) {
  process.stderr.write(`${broken.join('\n')}\n\nClients of the API would break. Nothing was written.\n`);
  process.stderr.write('If a release is to break them, and its changelog says so: npm run openapi -- --breaking\n');
  process.exitCode = 1;
} else {
  await writeFile(target, `${JSON.stringify(document, null, 2)}\n`);
}
