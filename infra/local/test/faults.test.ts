import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, registerMerchant, registerRecipient, signInAdmin } from './api-client.ts';
import {
  expectFairEnds,
  expectLedgerHolds,
  openBooks,
  untilAskingProvider,
  untilInHand,
  untilToldEverything,
} from './books.ts';
import { killAndAwaitNext, type RunningProduct, startProductOn } from './product.ts';
import { type Accepted, type Sender, type SteadyLoad, startLoad } from './steady-load.ts';

const TIMEOUT_MS = 150_000;
const BACK_MS = 30_000;
/** Retries through the broker, inquiries and the sweep take some time. */
const END_MS = 75_000;
const FUNDS_KES = 1_000_000;
const MERCHANT_PHONE = `+2557${String(Date.now()).slice(-8)}`;

let vhost: TestVhost;
let postgres: TcpProxy;
let broker: TcpProxy;
let product: RunningProduct;
let books: pg.Client;
let admin: ApiClient;
let merchant: ApiClient;
let senders: Sender[];
const accepted: Accepted[] = [];

beforeAll(async () => {
  const { url: serverUrl } = await askForServer('postgres');
  vhost = await createTestVhost('faults');
  postgres = await proxyTo(serverUrl, 5432);
  broker = await proxyTo(vhost.amqpUrl, 5672);
  product = await startProductOn(
    { databaseUrl: through(postgres, serverUrl), amqpUrl: through(broker, vhost.amqpUrl) },
    {
      SIMULATOR_DELAY_MS: '300',
      VUKA_PAYOUT_CHECK_SECONDS: '1',
      VUKA_PAYOUT_GRACE_SECONDS: '3',
      VUKA_RATE_LIMIT_FACTOR: '1000',
    },
  );
  books = await openBooks(serverUrl, product.databasePrefix);
  admin = await signInAdmin(product.address);
  merchant = await registerRecipient(product.address, MERCHANT_PHONE);
  senders = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { client, user } = await registerMerchant(product.address, admin, { KES: FUNDS_KES });
      return { client, userId: user.id };
    }),
  );
}, 120_000);

afterAll(async () => {
  await books?.end();
  postgres?.restore();
  broker?.restore();
  await product?.stop();
  await Promise.all([postgres?.close(), broker?.close()]);
  await vhost?.drop();
});

function proxyTo(address: string, usualPort: number): Promise<TcpProxy> {
  const { hostname, port } = new URL(address);
  return createTcpProxy({ host: hostname, port: Number(port) || usualPort });
}

function through(proxy: TcpProxy, address: string): string {
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return url.toString();
}

/** The body and status of a service's `/health/ready`. */
async function healthOf(service: string) {
  const { services, url } = await product.run();
  const address = service === 'gateway' ? url : `http://127.0.0.1:${services[service]?.port}`;
  const response = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(5_000) });
  const { dependencies } = (await response.json()) as { dependencies: Record<string, string> };
  return { status: response.status, dependencies };
}

const isReady = async (service: string) => (await healthOf(service)).status === 200;

async function untilAllReady(): Promise<void> {
  for (const service of Object.keys((await product.run()).services)) {
    await until(() => isReady(service), { timeoutMs: BACK_MS, everyMs: 100, what: `${service} is ready` });
  }
}

const countOf = (load: SteadyLoad, answer: string) => load.answers.get(answer) ?? 0;

/** Waits until a few more orders have been accepted. */
async function untilAccepting(load: SteadyLoad, more = 8): Promise<void> {
  const before = load.accepted.length;
  await until(() => load.accepted.length >= before + more, { timeoutMs: BACK_MS, everyMs: 50, what: 'more orders' });
}

async function untilRefusing(load: SteadyLoad, more: number): Promise<void> {
  const before = countOf(load, '503');
  const refused = () => countOf(load, '503') >= before + more;
  await until(refused, { timeoutMs: BACK_MS, everyMs: 50, what: 'orders are refused' });
}

/** No unexpected answers, every transfer ended correctly, and every balance is exact. */
async function expectGoodEnd(load: SteadyLoad): Promise<void> {
  await load.stop();
  expect(load.surprises).toEqual([]);
  accepted.push(...load.accepted);
  const simulatorPort = (await product.run()).services['payout-simulator']?.port ?? 0;
  const { sent, received } = await expectFairEnds(books, accepted, { simulatorPort, timeoutMs: END_MS });
  for (const { client, userId } of senders) {
    const cents = BigInt(FUNDS_KES) * 100n - (sent.get(userId) ?? 0n);
    expect((await client.get('/api/balances')).body.balances.KES).toBe(decimal(cents));
  }
  expect((await merchant.get('/api/balances')).body.balances.TZS).toBe(decimal(received));
  await expectLedgerHolds(admin);
}

const decimal = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

test('kill -9 of each process in turn: every answer is clear, every accepted transfer ends once', {
  timeout: TIMEOUT_MS,
}, async () => {
  const load = startLoad(senders, MERCHANT_PHONE);
  for (const service of Object.keys((await product.run()).services)) {
    await untilAccepting(load);
    await killAndAwaitNext(product, service);
    await until(() => isReady(service), { timeoutMs: BACK_MS, everyMs: 50, what: `${service} is ready again` });
  }
  await untilAccepting(load);
  await expectGoodEnd(load);
});

test('each service behind the gateway is restarted in turn: no order is refused, and every transfer ends once', {
  timeout: TIMEOUT_MS,
}, async () => {
  const load = startLoad(senders, MERCHANT_PHONE);
  for (const service of Object.keys((await product.run()).services)) {
    if (service === 'gateway') continue;
    await untilAccepting(load);
    await killAndAwaitNext(product, service, 'SIGTERM');
    await until(() => isReady(service), { timeoutMs: BACK_MS, everyMs: 50, what: `${service} is ready again` });
  }
  await untilAccepting(load);
  expect([...load.answers.keys()]).toEqual(['201']);
  await expectGoodEnd(load);
});

test('kill -9 of a worker with unacknowledged commands loses none of them', { timeout: TIMEOUT_MS }, async () => {
  const load = startLoad(senders, MERCHANT_PHONE);
  await untilAccepting(load);
  await product.kill('wallet', 'SIGSTOP');
  try {
    // The worker has received every sender's command and waits for the wallet with all of them.
    await untilInHand(books, senders.length);
    await killAndAwaitNext(product, 'transfers-worker');
  } finally {
    await product.kill('wallet', 'SIGCONT');
  }
  await untilAllReady();
  await untilAccepting(load);
  await expectGoodEnd(load);
});

test('a worker stopped while the provider hangs ends in time, and loses no open payout', {
  timeout: TIMEOUT_MS,
}, async () => {
  const log = join(product.dataDir, 'logs', 'transfers-worker.log');
  const before = (await readFile(log, 'utf8')).length;
  const said = async () => (await readFile(log, 'utf8')).slice(before);
  const load = startLoad(senders, MERCHANT_PHONE);
  await untilAccepting(load);
  await product.kill('payout-simulator', 'SIGSTOP');
  try {
    await untilAskingProvider(books, senders.length);
    await product.kill('transfers-worker', 'SIGTERM');
    await until(async () => /"stopped"|in time/.test(await said()), { timeoutMs: BACK_MS, everyMs: 50 });
    expect(await said()).not.toContain('did not drain in time');
  } finally {
    await product.kill('payout-simulator', 'SIGCONT');
  }
  await untilAllReady();
  await untilAccepting(load);
  await expectGoodEnd(load);
});

test('without the broker orders are still accepted, and carried out when it is back', {
  timeout: TIMEOUT_MS,
}, async () => {
  const load = startLoad(senders, MERCHANT_PHONE);
  await untilAccepting(load);
  // First the confirms are lost, so that messages which did arrive are published twice.
  broker.dropAnswers();
  await untilAccepting(load, 20);
  broker.cut();
  const saysSo = async () => (await healthOf('transfers')).dependencies.messages === 'down';
  await until(saysSo, { timeoutMs: BACK_MS, what: 'readiness reports the broker as unavailable' });
  const refused = countOf(load, '503');
  await untilAccepting(load, 80);
  expect(countOf(load, '503')).toBe(refused);
  broker.restore();
  await untilAllReady();
  await untilAccepting(load);
  await expectGoodEnd(load);
});

test('without Postgres every order is refused clearly, and no commit is lost or repeated', {
  timeout: TIMEOUT_MS,
}, async () => {
  const load = startLoad(senders, MERCHANT_PHONE);
  await untilAccepting(load);
  // At first Postgres commits, but its answers are lost.
  postgres.dropAnswers();
  await untilRefusing(load, senders.length);
  postgres.cut();
  await until(async () => (await healthOf('wallet')).dependencies.database === 'down', {
    what: 'readiness reports it',
  });
  await untilRefusing(load, 2 * senders.length);
  const acceptedBefore = load.accepted.length;
  await untilRefusing(load, 100);
  expect(load.accepted.length).toBe(acceptedBefore);
  postgres.restore();
  await untilAllReady();
  await untilAccepting(load);
  await expectGoodEnd(load);
});

test('orders continue while every connection to Postgres is terminated repeatedly', {
  timeout: TIMEOUT_MS,
}, async () => {
  const load = startLoad(senders, MERCHANT_PHONE);
  for (let round = 0; round < 6; round++) {
    await untilAccepting(load);
    await books.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname like $1 and pid <> pg_backend_pid()',
      [`${product.databasePrefix}\\_%`],
    );
  }
  await untilAccepting(load);
  await expectGoodEnd(load);
});

test('a message that can never be handled is dead-lettered with its reason, and the queue continues', {
  timeout: TIMEOUT_MS,
}, async () => {
  const about = {
    specversion: '1.0',
    source: '/test',
    datacontenttype: 'application/json',
    type: 'transfer.execute.v1',
  };
  const command = (transferId: unknown) =>
    JSON.stringify({ ...about, id: crypto.randomUUID(), time: new Date().toISOString(), data: { transferId } });
  const rubbish = [
    ['no envelope at all', 'malformed envelope'],
    [command(7), 'not an execute command'],
    [command(crypto.randomUUID()), 'there is no such transfer'],
  ];
  for (const [payload] of rubbish) await publishToExecution(payload ?? '');
  const dead = await until(async () => {
    const messages = await readDead();
    return messages.length >= rubbish.length && messages;
  });
  expect(dead.sort()).toEqual(rubbish.sort());
  const load = startLoad(senders, MERCHANT_PHONE);
  await untilAccepting(load);
  await expectGoodEnd(load);
});

async function publishToExecution(payload: string): Promise<void> {
  await vhost.management('POST', `/api/exchanges/${vhost.name}/amq.default/publish`, {
    routing_key: 'transfers.execution',
    payload,
    payload_encoding: 'string',
    properties: {},
  });
}

/** The dead-letter queue of commands: each body, and its reason. */
async function readDead(): Promise<[body: string, reason: string][]> {
  const messages = (await vhost.management('POST', `/api/queues/${vhost.name}/transfers.execution.dlq/get`, {
    count: 10,
    ackmode: 'ack_requeue_true',
    encoding: 'auto',
  })) as { payload: string; properties: { headers: Record<string, string> } }[];
  return messages.map(({ payload, properties }) => [payload, properties.headers['dead-reason'] ?? '']);
}

test('after kill -9 of everything and a start without the broker, readiness names it, and all work continues', {
  timeout: TIMEOUT_MS,
}, async () => {
  const load = startLoad(senders, MERCHANT_PHONE);
  await untilAccepting(load, 20);
  broker.cut();
  // From here on accepted orders wait in the outbox; earlier ones are at any stage.
  await untilAccepting(load, senders.length);
  await product.killAll();
  await product.startAgain();
  for (const service of ['transfers', 'transfers-worker', 'gateway', 'wallet', 'integration-log']) {
    const says = async () => {
      const { status, dependencies } = await healthOf(service);
      return status === 503 && dependencies.database === 'up' && dependencies.messages === 'down';
    };
    await until(says, { timeoutMs: BACK_MS, everyMs: 100, what: `${service} reports what is missing` });
  }
  broker.restore();
  await product.untilReady();
  await untilAllReady();
  await untilAccepting(load);
  await expectGoodEnd(load);
  await untilToldEverything(books);
});
