import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdtemp, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '#secrets.ts';
import { ROOT } from '#start-settings.ts';
import { createApiClient, PIN, registerMerchant, signInAdmin } from './api-client.ts';
import { startTestProduct } from './kept-product.ts';

let dir: string;
let dataDir: string;
let backups: string;
let identity: string;
let archive: string;
let said: string;
let merchant: { email: string; phone: string };

/** Runs the product on its own Postgres, and stops it. */
async function withProduct(work: (product: { address: string }) => Promise<void>): Promise<void> {
  const product = await startTestProduct({}, { dataDir });
  try {
    await work({ address: product.url });
  } finally {
    await product.end('SIGTERM');
  }
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-encrypted-'));
  await chmod(dir, 0o755);
  [dataDir, backups, identity] = [join(dir, 'data'), join(dir, 'backups'), join(dir, 'identity.txt')];
  await withProduct(async ({ address }) => {
    merchant = (await registerMerchant(address, await signInAdmin(address))).user;
  });
  const [recipient = ''] = (await run('backup', '--new-identity', identity)).split('\n');
  said = await run('backup', '--to', backups, '--encrypt-to', recipient);
  archive = join(backups, (await readdir(backups))[0] ?? '');
}, 240_000);
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));

async function run(script: 'backup' | 'restore', ...words: string[]): Promise<string> {
  const env = { ...process.env, VUKA_DATA_DIR: dataDir, DATABASE_URL: '', AMQP_URL: '', VUKA_WAL_ARCHIVE: '' };
  const path = join(ROOT, 'infra/local/src', `${script}.ts`);
  const done = await promisify(execFile)(process.execPath, [path, ...words], { env }).catch((error) => error);
  return `${done.stdout}${done.stderr}`;
}

const files = async () => (await readdir(dataDir)).sort();

test('the other place gets one private file, and no clear copy is left beside the data', async () => {
  expect(await readdir(backups)).toEqual([expect.stringMatching(/^vuka-\d{8}-\d{6}\.tar\.gz\.age$/)]);
  expect((await stat(archive)).mode & 0o777).toBe(0o600);
  expect((await stat(identity)).mode & 0o777).toBe(0o600);
  expect(await files()).toEqual(expect.not.arrayContaining(['backup-to-encrypt', 'backup-opened']));
  expect(said).not.toContain('CONTAINS THE SECRETS');
});

test('the file shows neither a secret nor a phone number, packed or not', async () => {
  const bytes = await readFile(archive);
  const { pinPepper } = await loadSecrets(dataDir, [], {});
  for (const text of [pinPepper, merchant.phone, merchant.email, 'cluster/', 'manifest.json'])
    expect(bytes.includes(text)).toBe(false);
  expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  expect(() => gunzipSync(bytes)).toThrow();
});

test.each([
  ['without an identity', (file: string) => ['--from', file], 'is encrypted: give --identity'],
  [
    'with the identity of another',
    (file: string) => ['--from', file, '--identity', `${identity}.other`],
    'no identity',
  ],
  ['with a file that has no identity', (file: string) => ['--from', file, '--identity', archive], 'has no identity'],
])('it is not opened %s, and nothing is changed', async (_, words, answer) => {
  if (!(await readdir(dir)).includes('identity.txt.other')) await run('backup', '--new-identity', `${identity}.other`);
  const before = await files();
  expect(await run('restore', ...words(archive))).toMatch(new RegExp(answer));
  expect(await files()).toEqual(before);
});

test('a file that was cut off or changed is refused, and nothing is changed', async () => {
  const damaged = join(dir, 'damaged.tar.gz.age');
  const { size } = await stat(archive);
  for (const length of [size - 1, Math.floor(size / 2), 0]) {
    await copyFile(archive, damaged);
    await truncate(damaged, length);
    expect(await run('restore', '--from', damaged, '--identity', identity), `${length}`).toContain('cannot be opened');
  }
  await copyFile(archive, damaged);
  const file = await open(damaged, 'r+');
  const byte = (await file.read(Buffer.alloc(1), 0, 1, size - 5_000)).buffer;
  await file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, size - 5_000);
  await file.close();
  expect(await run('restore', '--from', damaged, '--identity', identity)).toContain('cannot be opened');
  expect(await files()).toEqual(expect.not.arrayContaining(['backup-to-encrypt', 'backup-opened']));
}, 120_000);

test('an identity is never overwritten', async () => {
  const before = await readFile(identity, 'utf8');
  expect(await run('backup', '--new-identity', identity)).toContain('EEXIST');
  expect(await readFile(identity, 'utf8')).toBe(before);
});

test('a recipient that is none stops the backup before anything is written', async () => {
  const elsewhere = join(dir, 'elsewhere');
  expect(await run('backup', '--to', elsewhere, '--encrypt-to', 'age1nonsense')).toContain('is no recipient of age');
  expect(await readdir(elsewhere).catch(() => [])).toEqual([]);
}, 60_000);

test('everything is restored onto an empty machine, and the merchant signs in with the PIN', async () => {
  await rm(dataDir, { recursive: true });
  const answer = await run('restore', '--from', backups, '--identity', identity);
  expect(answer).toContain('The books hold');
  expect(await files()).not.toContain('backup-opened');
  await withProduct(async ({ address }) => {
    const client = createApiClient(address);
    expect((await client.post('/api/login', { username: merchant.email, pin: PIN })).status).toBe(200);
    expect((await client.get('/api/balances')).body.balances.KES).toBe('100000.00');
  });
}, 240_000);
