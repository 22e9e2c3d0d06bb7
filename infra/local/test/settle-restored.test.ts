import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { expect, test } from 'vitest';
import { planDatabases, rolesOf } from '#databases.ts';
import { ROOT } from '#start-settings.ts';
import { ADMIN_PIN, type ApiClient, createApiClient, order, PIN, registerMerchant, signInAdmin } from './api-client.ts';
import { openBooks } from './books.ts';
import { startTestProduct } from './kept-product.ts';

const run = promisify(execFile);
const PREFIX = `vt_settled_${Math.random().toString(36).slice(2, 8)}`;

test('books that their operator restored are settled while Vuka is stopped, and go on', {
  timeout: 240_000,
}, async () => {
  const { url: DATABASE_URL } = await askForServer('postgres');
  const env = { DATABASE_URL, VUKA_DATABASE_PREFIX: PREFIX, SIMULATOR_DELAY_MS: '600000' };
  const settleWith = (AMQP_URL: string, ...args: string[]) =>
    run(process.execPath, [join(ROOT, 'infra/local/src/settle-restored.ts'), ...args], {
      env: { ...process.env, AMQP_URL, ...env },
    }).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
    );
  const settle = (...args: string[]) => settleWith('', ...args);
  const first = await startTestProduct(env);
  try {
    const admin = await signInAdmin(first.url);
    const { client, user } = await registerMerchant(first.url, admin, { KES: 5000 });
    const { key } = (await admin.post('/api/admin/api-keys', { name: 'Warehouse', pin: ADMIN_PIN })).body;
    const at = new Date().toISOString();
    expect(await settle('--at', at)).toMatchObject({ code: 1, said: expect.stringContaining('Stop Vuka first') });
    expect((await client.get('/api/user')).status).toBe(200);
    await holdWithoutTransfer(client, DATABASE_URL);
    const before = await readFeed(first.url, key);
    await first.end('SIGTERM');
    await countLikeAnotherCluster(DATABASE_URL);
    expect(await settle()).toMatchObject({ code: 1, said: expect.stringContaining('--at') });
    const settled = await settle('--at', at);
    expect(settled).toMatchObject({ code: 0, said: expect.stringContaining('The books hold') });
    expect(settled.said).toContain(`outgoing payment on the bank statement since ${at} with /admin/withdrawals`);
    expect(settled.said).toContain('Holds of transfers that the books do not have: 1.');
    // Containers have RabbitMQ, and no database for the embedded bus.
    await execute(DATABASE_URL, `drop database ${PREFIX}_bus`);
    expect(await settleWith('amqp://127.0.0.1', '--at', at)).toMatchObject({ code: 0 });
    const again = await startTestProduct(env, { dataDir: first.dataDir });
    const returning = createApiClient(again.url);
    expect((await returning.get('/api/user', { cookie: client.cookie })).status).toBe(401);
    await returning.post('/api/login', { username: user.email, pin: PIN });
    const isGivenBack = async () => (await returning.get('/api/balances')).body.balances.KES === '5000.00';
    await until(isGivenBack, { timeoutMs: 30_000, everyMs: 100, what: 'the hold to be released' });
    const after = await readFeed(again.url, key, before.place);
    expect(after).toMatchObject({ event: before.event, hasGap: true });
    expect(await readFeed(again.url, key)).toMatchObject({ event: before.event, hasGap: false });
    await again.end('SIGTERM');
  } finally {
    await first.dispose();
    await dropDatabases(DATABASE_URL);
  }
});

/** Makes a hold without a transfer, as after a promotion that lost the acceptance of an order in progress. */
async function holdWithoutTransfer(client: ApiClient, server: string): Promise<void> {
  const accepted = await client.post('/api/transactions/create', order());
  expect(accepted.status).toBe(201);
  expect((await client.get('/api/balances')).body.balances).toMatchObject({ KES: '4000.00' });
  const { id } = accepted.body.transaction;
  const books = await openBooks(server, PREFIX);
  await books.query('set session_replication_role = replica');
  for (const table of ['money_transfers', 'transaction_lifecycle'])
    await books.query(`delete from ${table} where transaction_id = $1`, [id]);
  await books.query('delete from transactions where id = $1', [id]);
  await books.end();
}

/** The first event of the feed after a place, or of all that are kept. */
async function readFeed(address: string, key: string, after?: string) {
  const response = await fetch(`${address}/api/feed/transfers?from=oldest`, {
    headers: { authorization: `Bearer ${key}`, ...(after ? { 'last-event-id': after } : {}) },
    signal: AbortSignal.timeout(20_000),
  });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const first = /^id: (?<place>.+)\nevent: transfer\..+\ndata: (?<event>.+)\n\n/m.exec(text)?.groups;
    if (first) return { place: first.place, event: first.event, hasGap: text.includes('event: gap\n') };
  }
  throw new Error(`the feed ended: ${text}`);
}

/** Gives the events the transaction ids of a cluster that has counted further, as a dump of that cluster would. */
async function countLikeAnotherCluster(server: string): Promise<void> {
  const books = await openBooks(server, PREFIX);
  await books.query(`update outbox set written_in = '10000000000'`);
  await books.query(`update event_log_pruned set written_in = '10000000000', id = 1`);
  await books.end();
}

async function execute(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

async function dropDatabases(server: string): Promise<void> {
  const plans = planDatabases(PREFIX);
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  for (const { name } of plans) await client.query(`drop database if exists ${name} with (force)`);
  for (const role of rolesOf(plans)) await client.query(`drop role if exists ${role}`);
  await client.end();
}
