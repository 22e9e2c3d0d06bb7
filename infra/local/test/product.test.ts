import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { until } from '@vuka/test-kit/until';
import { afterEach, expect, test } from 'vitest';
import { readRunFile } from '#run-file.ts';
import { ROOT } from '#start-settings.ts';
import { startTestProduct, type TestProduct } from './kept-product.ts';

const TIMEOUT_MS = 150_000;
const products: TestProduct[] = [];
const dirs: string[] = [];

afterEach(async () => {
  await Promise.all(products.splice(0).map((product) => product.dispose()));
  for (const dir of dirs.splice(0)) await rm(dir, { recursive: true, force: true, maxRetries: 5 });
});

async function start(env: Record<string, string> = {}, dataDir?: string): Promise<TestProduct> {
  const product = await startTestProduct(env, dataDir ? { dataDir } : {});
  products.push(product);
  return product;
}

async function makeDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'vuka run with spaces '));
  dirs.push(dir);
  return dir;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const postgresPid = async (dataDir: string): Promise<number> => {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  const line = stdout.split('\n').find((text) => text.includes(`-D ${join(dataDir, 'postgres')}`));
  return Number.parseInt(line ?? '', 10);
};

const pidsOf = ({ run }: TestProduct): number[] => Object.values(run.services).map(({ pid }) => pid ?? 0);

interface Person {
  get(path: string): Promise<{ status: number; body: never }>;
  post(path: string, body: unknown): Promise<{ status: number; body: never }>;
}

async function signIn(url: string, username: string, pin: string): Promise<Person> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, pin }),
  });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as never };
  };
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) };
}

const balancesOf = async (person: Person) =>
  ((await person.get('/api/balances')).body as { balances: Record<string, string> }).balances;

/** Sends KES 1000 to a phone in Tanzania; returns the id of the transfer. */
async function send(person: Person): Promise<string> {
  const { body: quote } = await person.post('/api/quotes', { direction: 'KES_TO_TZS', sourceAmount: '1000' });
  const { quoteId, targetAmount } = quote as { quoteId: string; targetAmount: string };
  const order = {
    clientTransactionId: crypto.randomUUID(),
    quoteId,
    direction: 'KES_TO_TZS',
    sourceAmount: '1000',
    targetAmount,
    recipientPhone: '+255754999888',
    pin: '1357',
  };
  const { status, body } = await person.post('/api/transactions/create', order);
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as Receipt).transaction.id;
}

interface Receipt {
  transaction: { id: string; status: string };
}

const statusOf = async (person: Person, id: string) =>
  ((await person.get(`/api/transactions/${id}`)).body as Receipt).transaction.status;

test('a first start has the demo data, refuses a second start, restarts dead processes, and stops without leftovers', {
  timeout: TIMEOUT_MS,
}, async () => {
  const dataDir = await makeDir();
  const product = await start({}, dataDir);
  // The run file reports it a moment before the terminal does.
  await until(() => product.output().includes('Ctrl-C stops it'));
  expect(product.output()).toContain('Vuka is ready');
  expect(product.output()).toContain('amina@vuka.test');
  expect(product.output()).toMatch(/approver@vuka\.test +8642 +administrator/);
  const amina = await signIn(product.url, 'amina@vuka.test', '1357');
  expect(await balancesOf(amina)).toEqual({ KES: '250000.00', TZS: '5000000.00' });
  const figures = await (await fetch(`http://127.0.0.1:${product.run.services.admin?.port}/metrics`)).text();
  expect(figures).toMatch(/^vuka_queue_messages\{queue="integration-log.calls",state="dead",.*\} 0$/m);
  for (const name of ['secrets.json', 'run.json']) {
    expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
  }

  const second = spawnSync(process.execPath, [join(ROOT, 'infra/local/src/start.ts')], {
    env: { ...process.env, DATABASE_URL: '', PORT: String(await findFreePort()), VUKA_DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  expect(second.status).toBe(1);
  expect(second.stderr).toContain('Vuka runs already');
  const taken = spawnSync(process.execPath, [join(ROOT, 'infra/local/src/start.ts')], {
    env: { ...process.env, DATABASE_URL: '', PORT: new URL(product.url).port, VUKA_DATA_DIR: await makeDir() },
    encoding: 'utf8',
  });
  expect(taken.status).toBe(1);
  expect(taken.stderr).toContain('is taken by another program');

  const walletPid = product.run.services.wallet?.pid ?? 0;
  process.kill(walletPid, 'SIGKILL');
  const newPid = await until(
    async () => {
      const pid = (await readRunFile(dataDir))?.services.wallet?.pid ?? 0;
      return pid === walletPid ? 0 : pid;
    },
    { timeoutMs: 20_000 },
  );
  await until(async () => (await amina.get('/api/balances')).status === 200, { timeoutMs: 20_000 });

  const database = await postgresPid(dataDir);
  const startedAt = Date.now();
  expect(await product.end('SIGINT')).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  const pids = [newPid, database, ...pidsOf(product)];
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await readRunFile(dataDir)).toBeUndefined();
});

test('kill -9 of the supervisor leaves nothing running, and the next start continues open transfers', {
  timeout: TIMEOUT_MS,
}, async () => {
  const dataDir = await makeDir();
  const product = await start({ SIMULATOR_DELAY_MS: '3000' }, dataDir);
  const amina = await signIn(product.url, 'amina@vuka.test', '1357');
  const id = await send(amina);
  const database = await postgresPid(dataDir);
  await product.end('SIGKILL');
  const pids = [database, ...pidsOf(product)];
  await until(() => pids.filter(isAlive).length === 0, { timeoutMs: 15_000, everyMs: 100, what: 'all to end' });

  const again = await start({ SIMULATOR_DELAY_MS: '300' }, dataDir);
  const back = await signIn(again.url, 'amina@vuka.test', '1357');
  await until(async () => (await statusOf(back, id)) === 'SETTLED', { timeoutMs: 60_000, everyMs: 200 });
  expect((await balancesOf(back)).KES).toBe('249000.00');
});
