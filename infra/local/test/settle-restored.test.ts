import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { expect, test } from 'vitest';
import { planDatabases, rolesOf } from '#databases.ts';
import { ROOT } from '#start-settings.ts';
import { type ApiClient, createApiClient, order, PIN, registerMerchant, signInAdmin } from './api-client.ts';
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
    const { client, user } = await registerMerchant(first.url, await signInAdmin(first.url), { KES: 5000 });
    const at = new Date().toISOString();
    expect(await settle('--at', at)).toMatchObject({ code: 1, said: expect.stringContaining('Stop Vuka first') });
    expect((await client.get('/api/user')).status).toBe(200);
    await holdWithoutTransfer(client, DATABASE_URL);
    await first.end('SIGTERM');
    expect(await settle()).toMatchObject({ code: 1, said: expect.stringContaining('--at') });
    const settled = await settle('--at', at);
    expect(settled).toMatchObject({ code: 0, said: expect.stringContaining('The books hold') });
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
