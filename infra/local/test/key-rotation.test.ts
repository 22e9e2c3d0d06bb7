import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEPT_FOR_EVER, KEY_LISTS } from '#key-lists.ts';
import { ROOT } from '#start-settings.ts';
import { type ApiClient, createApiClient, order, PIN, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

let product: RunningProduct;
let admin: ApiClient;
let merchant: Awaited<ReturnType<typeof registerMerchant>>;
beforeAll(async () => {
  product = await startProduct({ SIMULATOR_DELAY_MS: '50', VUKA_PAYOUT_CHECK_SECONDS: '1' });
  admin = await signInAdmin(product.address);
  merchant = await registerMerchant(product.address, admin);
}, 180_000);
afterAll(() => product?.stop());

/** A command of the repository, on this product's data directory. */
async function npmRun(script: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, VUKA_DATA_DIR: product.dataDir };
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', script, '--', ...args], { cwd: ROOT, env });
  return stdout;
}

async function restart(): Promise<void> {
  await product.killAll();
  await product.startAgain();
  await product.untilReady();
}

/** Sends money in the session that was opened before any key was replaced; resolves when it arrived. */
async function send() {
  const { status, body } = await merchant.client.post('/api/transactions/create', order());
  expect(status, JSON.stringify(body)).toBe(201);
  const read = async () => (await merchant.client.get(`/api/transactions/${body.transaction.id}`)).body.transaction;
  await until(async () => (await read()).status === 'SETTLED', { timeoutMs: 30_000, what: 'it settles' });
  return body.transaction.id as string;
}

const codeOf = async (id: string) =>
  (await merchant.client.get(`/api/transactions/${id}/verification`)).body.code as string;
const isGenuine = async (code: string) =>
  (await createApiClient(product.address).get(`/api/verify/${code}`)).body.genuine as boolean;

/** The columns that begin with the id of the key that encrypted them, and the secret of that key. */
const ENCRYPTED = [
  { service: 'identity', secret: 'pin-pepper', left: `select from users where split_part(pin, '$', 2) <> $1` },
  ...['sessions', 'saved_recipients'].map((table) => ({
    service: 'identity',
    secret: 'identity-data-key',
    ...left(table),
  })),
  { service: 'admin', secret: 'admin-data-key', ...left('notifications') },
  { service: 'integration-log', secret: 'integration-log-data-key', ...left('integration_logs') },
];

function left(table: string) {
  return { left: `select from ${table} where encode(substring(sealed from 1 for 8), 'hex') <> $1` };
}

/** Waits until no row is encrypted with an old key, which the runbook requires before a key is removed. */
async function untilRowsAreEncrypted(): Promise<void> {
  const listed = await npmRun('keys');
  const { services } = await product.run();
  for (const { service, secret, left: query } of ENCRYPTED) {
    const current = new RegExp(`^ *${secret} +(\\w+)`, 'm').exec(listed)?.[1];
    const client = new pg.Client({ connectionString: services[service]?.databaseUrl ?? '' });
    await client.connect();
    const isDone = async () => (await client.query(query, [current])).rowCount === 0;
    await until(isDone, { timeoutMs: 30_000, what: `${secret} is used alone` }).finally(() => client.end());
  }
}

const replaced = Object.keys(KEY_LISTS);

test('the runbook names every secret and step that the command knows', async () => {
  const runbook = await readFile(join(ROOT, 'docs/runbooks/rotate-keys.md'), 'utf8');
  for (const name of replaced) expect(runbook).toContain(`\`${name}\``);
  for (const step of ['add', 'use', 'remove']) expect(runbook).toContain(`npm run keys -- ${step} <secret>`);
});

test('every secret is replaced as the runbook says, and nobody is signed out, and nothing is lost', async () => {
  const first = await send();
  const code = await codeOf(first);
  for (const secret of replaced) {
    await npmRun('keys', 'add', secret);
    await npmRun('keys', 'use', secret);
  }
  await restart();
  const second = await send();
  expect((await admin.get('/api/admin/audit-trail')).status).toBe(200);
  expect(await codeOf(second)).not.toBe(code);
  expect([await isGenuine(code), await isGenuine(await codeOf(second))]).toEqual([true, true]);
  expect((await admin.get('/api/admin/notifications')).body.notifications.length).toBeGreaterThan(0);
  expect(await npmRun('audit:verify')).toContain('The audit trail holds');
  await untilRowsAreEncrypted();
  for (const secret of replaced.filter((name) => !KEPT_FOR_EVER.includes(name))) await npmRun('keys', 'remove', secret);
  await restart();
  const again = createApiClient(product.address);
  expect((await again.post('/api/login', { username: merchant.user.email, pin: PIN })).status).toBe(200);
  expect((await again.post('/api/transactions/create', order())).status).toBe(201);
  expect((await signInAdmin(product.address)).pin).not.toBe('');
  expect(await isGenuine(code)).toBe(true);
}, 240_000);
