import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import { connect } from 'amqplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PIN, type ApiClient, order, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProductOn } from './product.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CREATE = 'infra/local/src/create-consumer.ts';
const WHOLE_WAY = ['created', 'processing', 'settled'].map((word) => `africa.vuka.transfer.${word}.v1`);

let vhost: TestVhost;
let product: RunningProduct;
let amina: ApiClient;
let key: string;
let dir: string;
let running: ChildProcess[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-examples-'));
  const [server, created] = await Promise.all([askForServer('postgres'), createTestVhost('examples')]);
  vhost = created;
  product = await startProductOn({ databaseUrl: server.url, amqpUrl: vhost.amqpUrl }, { SIMULATOR_DELAY_MS: '20' });
  const admin = await signInAdmin(product.address);
  amina = (await registerMerchant(product.address, admin)).client;
  key = (await admin.post('/api/admin/api-keys', { name: 'Warehouse', pin: ADMIN_PIN })).body.key;
}, 240_000);

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await product?.stop();
  for (const name of ['warehouse', 'shop', 'bakery']) {
    await vhost?.management('DELETE', `/api/users/ext-${name}`).catch(() => undefined);
  }
  await vhost?.drop();
  await rm(dir, { recursive: true, force: true });
}, 60_000);

function start(command: string, script: string, env: Record<string, string>): ChildProcess {
  const child = spawn(command, [script], { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'ignore' });
  running.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  running = running.filter((one) => one !== child);
}

async function transfer(): Promise<string> {
  const { status, body } = await amina.post('/api/transactions/create', order());
  expect(status).toBe(201);
  return body.transaction.id;
}

/** The types of the events of a transfer that a consumer has kept, in order. */
function keptOf(database: string, id: string): string[] {
  const db = new DatabaseSync(database, { timeout: 5_000 });
  try {
    const rows = db.prepare("select type from events where transfer = ? order by json_extract(event, '$.sequence')");
    return rows.all(id).map(({ type }) => String(type));
  } catch {
    return []; // it has not created its table yet
  } finally {
    db.close();
  }
}

/** Kills and restarts a consumer during transfers, and expects that it stored every event once. */
async function expectEachOnce(database: string, run: () => ChildProcess): Promise<string[]> {
  const first = run();
  const before = await transfer();
  await until(() => keptOf(database, before).length === WHOLE_WAY.length, { timeoutMs: 30_000 });
  const meanwhile = [await transfer(), await transfer()];
  await until(() => meanwhile.some((id) => keptOf(database, id).length > 0), { timeoutMs: 30_000 });
  await kill(first);
  const missed = await transfer();
  const all = [before, ...meanwhile, missed];
  run();
  await until(() => all.every((id) => keptOf(database, id).length >= WHOLE_WAY.length), { timeoutMs: 30_000 });
  expect(all.map((id) => keptOf(database, id))).toEqual(all.map(() => WHOLE_WAY));
  return all;
}

test.each([
  ['Python', 'python3', 'examples/read_feed.py'],
  ['TypeScript', process.execPath, 'examples/read-feed.ts'],
])(
  'the consumer of the feed in %s keeps every event once, though it is killed and events are repeated',
  async (_, command, script) => {
    const database = join(dir, `${script.replaceAll('/', '-')}.db`);
    const run = () => start(command, script, { VUKA: product.address, VUKA_API_KEY: key, DATABASE: database });
    const all = await expectEachOnce(database, run);
    // The consumer loses its position, so that the feed sends everything again.
    for (const child of running.slice()) await kill(child);
    const db = new DatabaseSync(database);
    db.exec('delete from place');
    run();
    await until(() => db.prepare('select id from place').get() !== undefined, { timeoutMs: 30_000 });
    const last = await transfer();
    await until(() => keptOf(database, last).length === WHOLE_WAY.length, { timeoutMs: 30_000 });
    db.close();
    expect([...all, last].map((id) => keptOf(database, id))).toEqual([...all, last].map(() => WHOLE_WAY));
  },
);

test.each([
  ['Python', 'python3', 'examples/read_feed.py'],
  ['TypeScript', process.execPath, 'examples/read-feed.ts'],
])(
  'after a gap, and after a place that the feed does not know, the consumer in %s lists what did not come again',
  async (_, command, script) => {
    const database = join(dir, `${script.replaceAll('/', '-')}-gaps.db`);
    const run = () => start(command, script, { VUKA: product.address, VUKA_API_KEY: key, DATABASE: database });
    let child = run();
    const kept = await transfer();
    await until(() => keptOf(database, kept).length === WHOLE_WAY.length, { timeoutMs: 30_000 });
    // The first place is of another epoch; the second one is ahead of the log, so it is refused with 400.
    for (const [index, foreign] of ['1.5-5-0', '9999999999999-1-0'].entries()) {
      await kill(child);
      const db = new DatabaseSync(database, { timeout: 5_000 });
      const insert = db.prepare('insert into events (id, type, transfer, event) values (?, ?, ?, ?)');
      const addEvent = (id: string, time: string) =>
        insert.run(`${id} ${index}`, 'x', 'none', JSON.stringify({ time }));
      addEvent('lost', new Date().toISOString());
      addEvent('too old to be kept', '2026-01-05T10:00:00.000Z');
      db.prepare('update place set id = ?').run(foreign);
      child = run();
      const next = await transfer();
      await until(() => keptOf(database, next).length === WHOLE_WAY.length, { timeoutMs: 30_000 });
      const lost = db.prepare('select id from lost order by id').all();
      expect(lost.map(({ id }) => id)).toEqual(['lost 0', 'lost 1'].slice(0, index + 1));
      expect(db.prepare('select count(*) as count from gaps').get()).toEqual({ count: index + 1 });
      db.close();
      expect(keptOf(database, kept)).toEqual(WHOLE_WAY);
    }
    await kill(child);
  },
);

/** A Python with pika, which is rarely installed; undefined if there is none. */
const PYTHON = ['python3', '/usr/bin/python3'].find(
  (command) => spawnSync(command, ['-c', 'import pika'], { stdio: 'ignore' }).status === 0,
);

function createConsumer(name: string, env: Record<string, string>) {
  const run = promisify(execFile)(process.execPath, [CREATE, '--name', name], {
    cwd: ROOT,
    env: { ...process.env, AMQP_URL: '', AMQP_MANAGEMENT_URL: '', ...env },
  });
  return run.catch((error: { stdout: string; stderr: string }) => error);
}

/** The settings that the command prints for the other service: `AMQP_URL` and `QUEUE`. */
async function settingsOf(name: string): Promise<{ AMQP_URL: string; QUEUE: string }> {
  const { stdout } = await createConsumer(name, { AMQP_URL: vhost.amqpUrl, AMQP_MANAGEMENT_URL: vhost.managementUrl });
  const lines = stdout.trim().split('\n');
  const given = Object.fromEntries(lines.map((line) => line.split(/=(.*)/))) as Record<string, string>;
  return { AMQP_URL: given.AMQP_URL ?? '', QUEUE: given.QUEUE ?? '' };
}

test('another service gets a queue that only it may read', async () => {
  const given = await settingsOf('warehouse');
  expect(given.QUEUE).toBe('ext.warehouse.transfers');
  const connection = await connect(given.AMQP_URL);
  const attempt = async (act: (channel: Awaited<ReturnType<typeof connection.createChannel>>) => Promise<unknown>) => {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    return act(channel).then(
      () => 'allowed',
      (error: Error) => (/ACCESS_REFUSED/.test(error.message) ? 'refused' : error.message),
    );
  };
  expect(await attempt((channel) => channel.get('transfers.execution'))).toBe('refused');
  expect(await attempt((channel) => channel.assertQueue('mine'))).toBe('refused');
  expect(await attempt((channel) => channel.purgeQueue('gateway.live-events'))).toBe('refused');
  expect(await attempt((channel) => channel.bindQueue('ext.warehouse.transfers', 'vuka.events', '#'))).toBe('refused');
  await connection.close();
});

test.for([
  ['TypeScript', process.execPath, 'examples/read-queue.ts', 'shop'],
  ['Python', PYTHON, 'examples/read_queue.py', 'bakery'],
] as const)(
  'the consumer of a queue in %s keeps every event once, though it is killed and events are repeated',
  async ([, command, script, name], { skip }) => {
    if (!command) return skip('pika is needed: apt-get install python3-pika');
    const given = await settingsOf(name);
    const database = join(dir, `${name}.db`);
    const run = () => start(command, script, { ...given, DATABASE: database });
    const all = await expectEachOnce(database, run);
    const db = new DatabaseSync(database, { timeout: 5_000 });
    const events = db
      .prepare('select event from events')
      .all()
      .map(({ event }) => JSON.parse(String(event)));
    // Sends all events again, one by one and as a batch, and then a new event.
    const connection = await connect(vhost.amqpUrl);
    const channel = await connection.createChannel();
    for (const content of [...events, events]) channel.sendToQueue(given.QUEUE, Buffer.from(JSON.stringify(content)));
    channel.sendToQueue(given.QUEUE, Buffer.from(JSON.stringify({ ...events[0], id: 'the last one' })));
    await until(() => db.prepare(`select 1 from events where id = 'the last one'`).get(), { timeoutMs: 30_000 });
    expect(db.prepare('select count(*) as count from events').get()).toEqual({ count: events.length + 1 });
    expect(all.slice(1).map((id) => keptOf(database, id))).toEqual(all.slice(1).map(() => WHOLE_WAY));
    db.close();
    await connection.close();
  },
);

test('without RabbitMQ the command says what to do instead', async () => {
  const { stderr } = await createConsumer('warehouse', {});
  expect(stderr).toContain('docs/transfer-feed.md');
  expect(stderr).not.toContain('at async');
});
