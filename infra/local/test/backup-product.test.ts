import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Manifest } from '#backup/manifest.ts';
import { serverSettings } from '#local-postgres.ts';
import { ROOT } from '#start-settings.ts';
import { registerMerchant, signInAdmin } from './api-client.ts';
import { readPaid } from './booked.ts';
import { expectLedgerHolds, openBooks } from './books.ts';
import { startTestProduct, type TestProduct } from './kept-product.ts';
import { type OutsideProvider, startOutsideProvider } from './outside-provider.ts';
import { moreThan, registerSenders, startLoad } from './steady-load.ts';

const TIMEOUT_MS = 600_000;
const JUMA = '+255754123456';

let dir: string;
let dataDir: string;
let backups: string;
let port: number;
let provider: OutsideProvider;
let product: TestProduct | undefined;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-restore-'));
  await chmod(dir, 0o755);
  [dataDir, backups] = [join(dir, 'data'), join(dir, 'backups')];
  port = await findFreePort();
  provider = await startOutsideProvider(port);
}, TIMEOUT_MS);

afterAll(async () => {
  await product?.end('SIGTERM');
  await provider?.stop();
  await rm(dir, { recursive: true, force: true, maxRetries: 5 });
}, 60_000);

const settings = () => ({ VUKA_WAL_ARCHIVE: join(dir, 'archive'), ...provider.settings });

async function startProduct(): Promise<TestProduct> {
  product = await startTestProduct(settings(), { dataDir, port });
  return product;
}

async function stopProduct(): Promise<void> {
  await product?.end('SIGTERM');
  product = undefined;
}

/** Runs a command as an operator does; returns its exit code and output. */
function command(
  name: 'backup' | 'restore',
  words: string[],
  changes: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATABASE_URL: '', AMQP_URL: '', ...settings(), VUKA_DATA_DIR: dataDir, ...changes };
  const script = join(ROOT, `infra/local/src/${name}.ts`);
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

/** The ids of all transfers in the data directory, while the product is stopped. */
async function bookedIds(): Promise<Set<string>> {
  const postgres = join(dataDir, 'postgres');
  const server = await startEmbeddedPostgres({ dataDir: postgres, settings: await serverSettings(postgres) });
  const books = await openBooks(server.url, 'vuka');
  const { rows } = await books.query<{ id: string }>('select id from transactions');
  await books.end();
  await server.stop();
  return new Set(rows.map(({ id }) => id));
}

async function newestList(): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => /^restored-.*\.csv$/.test(name)).sort();
  return (await readFile(join(dataDir, names.at(-1) ?? ''), 'utf8')).trimEnd().split('\r\n');
}

test('a backup of a busy product, and its archive, restore books that hold, pay nothing twice, and list what is missing', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { url } = await startProduct();
  const admin = await signInAdmin(url);
  const senders = await registerSenders(url, admin);
  const load = startLoad(senders, JUMA);
  await moreThan(load, 5);
  const taken = await command('backup', ['--to', backups]);
  expect(taken).toMatchObject({ code: 0, output: expect.stringContaining('IT CONTAINS THE SECRETS') });
  const [name = ''] = await readdir(backups);
  const backup = join(backups, name);
  const manifest = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as Manifest;
  await moreThan(load, load.accepted.length + 5);

  expect(await command('restore', ['--from', backup])).toMatchObject({
    code: 1,
    output: expect.stringContaining('Stop it first; nothing was changed'),
  });
  const moment = new Date();
  await moreThan(load, load.accepted.length + 8);
  await load.stop();
  const late = await registerMerchant(url, admin);
  await stopProduct();

  const restored = await command('restore', ['--from', backups, '--at', moment.toISOString()]);
  expect(restored, restored.output).toMatchObject({ code: 0, output: expect.stringContaining('The books hold') });
  expect(restored.output).toContain(`outgoing payment on the bank statement since ${moment.toISOString()} with`);
  const ids = await bookedIds();
  const missing = load.accepted.filter(({ id }) => !ids.has(id));
  expect(missing.filter(({ atMs }) => atMs <= moment.getTime())).toEqual([]);
  expect(missing.length).toBeGreaterThan(4);
  const list = await newestList();
  const listed = (start: string) => list.filter((line) => line.startsWith(start) && line.includes(',missing,'));
  expect(
    listed('transfer,')
      .map((line) => line.split(',')[1])
      .sort(),
  ).toEqual(missing.map(({ id }) => id).sort());
  expect(listed(`registration,${late.user.id},`)).toHaveLength(1);
  expect(listed('deposit,')).toHaveLength(2);
  // The provider's payments for them, by its own statement.
  const payouts = listed('payout,').map((line) => line.split(',')[1]);
  const paid = await readPaid(provider.port);
  const unknown = listed('provider: paid_without_order,').map((line) => line.split(',')[1]);
  expect(unknown.length).toBeGreaterThan(0);
  expect(unknown.sort()).toEqual(payouts.filter((id) => paid.has(id ?? '')).sort());

  await startProduct();
  expect((await admin.get('/api/admin/ledger/audit')).status).toBe(401);
  await expectLedgerHolds(await signInAdmin(url));
  const books = await openBooks(product?.run.serverUrl ?? '', 'vuka');
  const open = async () =>
    (await books.query(`select from transactions where status not in ('SETTLED', 'FAILED')`)).rowCount;
  await until(async () => (await open()) === 0, { timeoutMs: 90_000, everyMs: 200, what: 'all to end' });
  const { rows } = await books.query<{ id: string; payouts: string[] }>(
    `select t.id, array(select p.id::text from money_transfers p where p.transaction_id = t.id) as payouts
    from transactions t where status = 'SETTLED' and transaction_type = 'transfer' and recipient_user_id is null`,
  );
  await books.end();
  const times = await readPaid(provider.port);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ payouts: of }) => of.reduce((sum, id) => sum + (times.get(id) ?? 0), 0) !== 1)).toEqual([]);
  // No payment has an id that is in neither the books nor the list.
  const known = new Set([...rows.flatMap(({ payouts: of }) => of), ...payouts]);
  expect([...times.keys()].filter((id) => !known.has(id))).toEqual([]);
  await stopProduct();

  // Without the archive, a backup can be restored to its own end.
  const whole = await command('restore', ['--from', backup], { VUKA_WAL_ARCHIVE: '' });
  expect(whole, whole.output).toMatchObject({ code: 0, output: expect.stringContaining('The books hold') });
  const early = load.accepted.filter(({ atMs }) => atMs <= Date.parse(manifest.holdsUntil));
  expect(early.length).toBeGreaterThan(5);
  const kept = await bookedIds();
  expect(early.filter(({ id }) => !kept.has(id))).toEqual([]);
  expect(load.accepted.some(({ id }) => !kept.has(id))).toBe(true);
  expect((await readdir(dataDir)).filter((each) => each.startsWith('postgres-before-'))).toHaveLength(2);
});
