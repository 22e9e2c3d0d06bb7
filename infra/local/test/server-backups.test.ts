import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '#start-settings.ts';
import { signInAdmin } from './api-client.ts';
import { type BackedUpServer, createBackedUpServer, missingPrograms } from './backed-up-server.ts';
import { readPaid } from './booked.ts';
import { expectLedgerHolds, openBooks } from './books.ts';
import { startTestProduct, type TestProduct } from './kept-product.ts';
import { type OutsideProvider, startOutsideProvider } from './outside-provider.ts';
import { moreThan, registerSenders, startLoad } from './steady-load.ts';

const TIMEOUT_MS = 400_000;
const JUMA = '+255754123456';
const MISSING = missingPrograms();

let dir: string;
let port: number;
let provider: OutsideProvider | undefined;
let server: BackedUpServer | undefined;
let product: TestProduct | undefined;

beforeAll(async () => {
  if (MISSING) return;
  dir = await mkdtemp(join(tmpdir(), 'vuka-server-backups-'));
  await chmod(dir, 0o755);
  port = await findFreePort();
  provider = await startOutsideProvider(port);
  server = await createBackedUpServer(dir);
  await server.start();
}, TIMEOUT_MS);

afterAll(async () => {
  await product?.end('SIGTERM');
  await server?.stop().catch(() => undefined); // a failed test leaves none
  await provider?.stop();
  if (dir) await rm(dir, { recursive: true, force: true, maxRetries: 5 });
}, 60_000);

interface Info {
  status: { message: string };
  cipher: string;
  backup: { type: string }[];
}

test('a lost server is restored to a moment from its encrypted repository, and its books are settled and hold', {
  timeout: TIMEOUT_MS,
}, async ({ skip }) => {
  if (!server || !provider) return skip(`pgBackRest is needed: apt-get install pgbackrest postgresql (${MISSING})`);
  const { url: DATABASE_URL, pgbackrest } = server;
  const dataDir = join(dir, 'data');
  const settings = { DATABASE_URL, ...provider.settings };
  const start = async () => {
    product = await startTestProduct(settings, { dataDir, port });
    return product.url;
  };
  const stop = async () => {
    await product?.end('SIGTERM');
    product = undefined;
  };
  const info = async () => {
    const [stanza] = JSON.parse(await pgbackrest('--stanza=vuka --output=json info')) as [Info];
    return { ...stanza, backups: stanza.backup.map(({ type }) => type) };
  };

  await pgbackrest('--stanza=vuka stanza-create');
  await pgbackrest('--stanza=vuka check');
  const url = await start();
  const admin = await signInAdmin(url);
  const senders = await registerSenders(url, admin);
  const load = startLoad(senders, JUMA);
  await moreThan(load, 3);
  await pgbackrest('--stanza=vuka --type=full backup');
  await moreThan(load, load.accepted.length + 3);
  await pgbackrest('--stanza=vuka --type=incr backup');
  expect(await info()).toMatchObject({ status: { message: 'ok' }, cipher: 'aes-256-cbc', backups: ['full', 'incr'] });
  await expectFigure(await pgbackrest('--stanza=vuka --output=json info'));
  await moreThan(load, load.accepted.length + 5);
  const moment = new Date();
  await moreThan(load, load.accepted.length + 8);
  await load.stop();
  await server.untilArchived();
  await stop();
  await server.lose();

  await server.configure('repo1-cipher-pass', 'another passphrase');
  const target = { '<moment>': asRunbookWrites(moment) };
  const restore = '--stanza=vuka --type=time --target="<moment>" --target-action=promote restore';
  await expect(pgbackrest(restore, target)).rejects.toThrow(/unable to load info file/);
  await server.configure('repo1-cipher-pass', 'a-passphrase-of-the-test');
  await pgbackrest(restore, target);
  await server.start();
  const settled = await settle({ ...settings, VUKA_DATA_DIR: dataDir }, moment);
  expect(settled).toContain('The books hold');
  // The provider paid orders from after the moment.
  expect(settled).toMatch(/provider: paid_without_order: [1-9]\d* missing/);

  const books = await openBooks(DATABASE_URL, 'vuka');
  const { rows: booked } = await books.query<{ id: string }>('select id from transactions');
  const ids = new Set(booked.map(({ id }) => id));
  const missing = load.accepted.filter(({ id }) => !ids.has(id));
  expect(missing.filter(({ atMs }) => atMs <= moment.getTime())).toEqual([]);
  expect(missing.length).toBeGreaterThan(4);

  const restarted = await start();
  expect((await admin.get('/api/admin/ledger/audit')).status).toBe(401);
  await expectLedgerHolds(await signInAdmin(restarted));
  const open = async () =>
    (await books.query(`select from transactions where status not in ('SETTLED', 'FAILED')`)).rowCount;
  await until(async () => (await open()) === 0, { timeoutMs: 90_000, everyMs: 200, what: 'all to end' });
  const { rows } = await books.query<{ payouts: string[] }>(
    `select array(select p.id::text from money_transfers p where p.transaction_id = t.id) as payouts
    from transactions t where status = 'SETTLED' and transaction_type = 'transfer' and recipient_user_id is null`,
  );
  await books.end();
  const paid = await readPaid(provider.port);
  expect(rows.filter(({ payouts: of }) => of.reduce((sum, id) => sum + (paid.get(id) ?? 0), 0) !== 1)).toEqual([]);
  await stop();

  // The restored server continues in the same repository, where old backups expire.
  await server.configure('repo1-retention-full', '1');
  await pgbackrest('--stanza=vuka --type=full backup');
  expect(await info()).toMatchObject({ status: { message: 'ok' }, backups: ['full'] });
  await pgbackrest('--stanza=vuka verify');
});

/** Both pgBackRest and settle-restored read it. */
const asRunbookWrites = (moment: Date) => moment.toISOString().replace('T', ' ').replace('Z', '+00:00');

/** The exported metric must be the end of the newest backup. */
async function expectFigure(info: string): Promise<void> {
  const [{ backup }] = JSON.parse(info) as [{ backup: { timestamp: { stop: number } }[] }];
  execFileSync(join(ROOT, 'infra/backup/backup-figure.sh'), [dir], { input: info });
  const newest = Math.max(...backup.map(({ timestamp }) => timestamp.stop));
  expect(await readFile(join(dir, 'vuka-backup.prom'), 'utf8')).toBe(`vuka_backup_finished_seconds ${newest}\n`);
}

async function settle(env: Record<string, string>, moment: Date): Promise<string> {
  const script = join(ROOT, 'infra/local/src/settle-restored.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--at', asRunbookWrites(moment)], {
    env: { ...process.env, AMQP_URL: '', ...env },
  });
  return stdout;
}
