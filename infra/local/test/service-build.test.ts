import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { buildServices, builtScript } from '#service-build.ts';
import { SERVICE_SCRIPTS } from '#services.ts';
import { ROOT } from '#start-settings.ts';

const MANIFEST = join(ROOT, 'infra/local/dist/manifest.json');

async function build(): Promise<string[]> {
  const said: string[] = [];
  await buildServices((line) => said.push(line));
  return said;
}

const readManifest = async () => JSON.parse(await readFile(MANIFEST, 'utf8')) as Record<string, string>;

beforeAll(async () => {
  await build();
}, 60_000);

test('services are built again when one of their sources has changed, and only then', async () => {
  expect(await build()).toEqual([]);
  const states = await readManifest();
  expect(Object.keys(states)).toEqual(
    expect.arrayContaining(['services/wallet/src/ledger/ledger.domain.ts', 'packages/money/src/money.ts']),
  );
  for (const changed of ['services/gateway/src/app.ts', 'package-lock.json']) {
    await writeFile(MANIFEST, JSON.stringify({ ...states, [changed]: 'another state' }));
    expect(await build()).toEqual(['Building the services...']);
    expect(await readManifest()).toEqual(states);
  }
});

test.each(SERVICE_SCRIPTS)('%s runs from the build, without the sources', async (script) => {
  const built = builtScript(join(ROOT, script));
  expect(built).toMatch(/dist.*\.js$/);
  const failed = await promisify(execFile)(process.execPath, [built], { env: {} }).catch((error: Error) => error);
  expect(String((failed as { stderr?: string }).stderr)).toMatch(/The environment is not complete|Usage: /);
  expect(await readFile(built, 'utf8')).not.toMatch(/from "[^"]*\.ts"/);
});
