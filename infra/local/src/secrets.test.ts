import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecrets, readSecrets } from './secrets.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-secrets-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const file = () => join(dir, 'secrets.json');

test('secrets are made once, readable only by their owner, and not rewritten without changes', async () => {
  const first = await loadSecrets(dir, ['wallet'], {});
  const { mtimeMs, mode } = await stat(file());
  expect(mode & 0o777).toBe(0o600);
  expect(await loadSecrets(dir, ['wallet'], {})).toEqual(first);
  expect((await stat(file())).mtimeMs).toBe(mtimeMs);
});

test('a command reads the secrets and generates none', async () => {
  expect(await readSecrets(dir, {})).toMatchObject({ pinPepper: '', auditKey: '', passwords: {} });
  expect(await readdir(dir)).toEqual([]);
  const made = await loadSecrets(dir, ['wallet'], {});
  expect(await readSecrets(dir, {})).toEqual(made);
  const pinPepper = 'a pepper from the environment of npm start';
  expect(await readSecrets(dir, { VUKA_PIN_PEPPER: pinPepper })).toEqual({ ...made, pinPepper });
  await expect(readSecrets(dir, { VUKA_PIN_PEPPER: 'short' })).rejects.toThrow('VUKA_PIN_PEPPER');
});

test('concurrent readers and writers see complete and identical secrets', async () => {
  const { pinPepper } = await loadSecrets(dir, [], {});
  const roles = Array.from({ length: 40 }, (_, index) => `role-${index}`);
  const loaded = await Promise.all(roles.map((role) => loadSecrets(dir, [role], {})));
  expect(new Set(loaded.map((secrets) => secrets.pinPepper))).toEqual(new Set([pinPepper]));
  expect(JSON.parse(await readFile(file(), 'utf8')).pinPepper).toBe(pinPepper);
  expect(await readdir(dir)).toEqual(['secrets.json']);
});
