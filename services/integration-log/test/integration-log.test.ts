import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { askAs } from '@vuka/access/testing/ask-as';
import { testTokens } from '@vuka/access/testing/test-tokens';
import { type IntegrationLog, IntegrationLogDetail, IntegrationLogs } from '@vuka/contracts/http/integration-logs';
import type { ActionRecorded } from '@vuka/contracts/messages/audit';
import { CALLS_RECORDED } from '@vuka/contracts/messages/integration-log';
import { EVENTS } from '@vuka/contracts/topology';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { createDatabase, type Database } from '@vuka/service-kit/database';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { uuidv7 } from '@vuka/service-kit/ids';
import { readKeyring } from '@vuka/service-kit/keyring';
import { createLogger } from '@vuka/service-kit/logger';
import { createBus } from '@vuka/service-kit/messaging/create-bus';
import type { Delivery, MessageBus } from '@vuka/service-kit/messaging/message-bus';
import { migrate } from '@vuka/service-kit/migrate';
import { listMessages } from '@vuka/service-kit/outbox';
import { adminCaller } from '@vuka/test-kit/callers';
import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { until } from '@vuka/test-kit/until';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../src/app.ts';
import { migrations } from '../src/db/migrations/migrations.ts';
import { dropOldPartitions, ensurePartitions } from '../src/db/partitions.ts';
import type { Schema } from '../src/db/schema.ts';
import { createLogWriter } from '../src/logs/log.store.ts';
import { CALLS_QUEUE, createCallRecorder } from '../src/logs/record-calls.ts';
import { createSealedBodies } from '../src/logs/sealed-bodies.ts';

const logger = createLogger({ service: 'integration-log-test', level: 'silent' });
const tokens = testTokens('integration-log');
const sealed = createSealedBodies(readKeyring('data-key-of-at-least-thirty-two-characters'));
let server: TestDatabase;
let vhost: TestVhost;
let database: Database<Schema>;
let app: HttpApp;
let bus: MessageBus;

beforeAll(async () => {
  [server, vhost] = await Promise.all([createTestDatabase('integration_log'), createTestVhost('integration-log')]);
  database = createDatabase<Schema>({ url: server.url, service: 'integration-log-test', logger, indexScansOnly: true });
  await migrate(database.db as unknown as Kysely<never>, migrations, logger);
  const writer = createLogWriter(database.db, sealed);
  app = buildApp({
    db: database.db,
    sealed,
    tokens,
    writer,
    now: () => new Date(),
    kickRelay: () => undefined,
    logger,
    checks: {},
  });
  bus = createBus({ amqpUrl: vhost.amqpUrl, service: 'integration-log', logger, assertTopology: true });
  await bus.start();
  await bus.subscribe(CALLS_QUEUE, createCallRecorder(writer, logger), { prefetch: 50 });
});
afterAll(async () => {
  await bus.close();
  await app.close();
  await database.close();
  await Promise.all([server.drop(), vhost.drop()]);
});

function callOf(transactionId: string, change: Partial<IntegrationLog> = {}): IntegrationLog {
  return {
    id: uuidv7(),
    transactionId,
    moneyTransferId: randomUUID(),
    provider: 'pawapay',
    operation: 'payout.initiate',
    url: 'https://api.pawapay.example/v2/payouts',
    requestMethod: 'POST',
    requestBody: { amount: '1500' },
    responseBody: { status: 'ACCEPTED' },
    responseStatus: 200,
    success: true,
    timestamp: new Date().toISOString(),
    ...change,
  };
}

function eventOf(calls: unknown) {
  return cloudEvent({ source: '/vuka/transfers', type: CALLS_RECORDED, data: { calls } });
}

const publish = (...envelopes: ReturnType<typeof eventOf>[]) =>
  bus.publish(
    envelopes.map((envelope) => ({ exchange: EVENTS, routingKey: CALLS_RECORDED, envelope, requireRoute: true })),
  );

function ask(url: string, caller: Partial<Caller> | null = {}) {
  const person = { ...adminCaller, userId: randomUUID() };
  return askAs(
    'gateway',
    { app, service: 'integration-log' },
    {
      method: 'GET',
      url,
      caller: caller && { ...person, ...caller },
    },
  );
}

async function logsOf(transactionId: string) {
  const { body } = await ask(`/internal/logs?transactionId=${transactionId}`);
  return IntegrationLogs.parse(body).logs;
}

test('a message delivered twice is stored once, newest first', async () => {
  const transactionId = randomUUID();
  const older = callOf(transactionId, { timestamp: '2026-01-31T23:59:59.999Z' });
  const newer = callOf(transactionId, { timestamp: '2026-02-01T00:00:00.000Z', responseBody: null, success: false });
  const envelope = eventOf([older, newer]);
  await publish(envelope, envelope);
  // Regardless of its content, a message handled once is not handled again.
  await publish({ ...envelope, data: { calls: [callOf(transactionId)] } });
  const marker = callOf(randomUUID());
  await publish(eventOf([marker]));
  await until(async () => (await logsOf(marker.transactionId ?? '')).length > 0);
  expect(await logsOf(transactionId)).toEqual([newer, older]);
});

test('of two messages with one id in a batch only the first is stored', async () => {
  const [first, second] = [callOf(randomUUID()), callOf(randomUUID())];
  const messageId = randomUUID();
  const writer = createLogWriter(database.db, sealed);
  await writer.record([
    { messageId, calls: [first] },
    { messageId, calls: [second] },
  ]);
  expect(await logsOf(first.transactionId ?? '')).toEqual([first]);
  expect(await logsOf(second.transactionId ?? '')).toEqual([]);
});

test('a bad message is dead-lettered at once, and the others in its batch are written', async () => {
  const transactionId = randomUUID();
  const unwritable = callOf(transactionId, { provider: 'a\0b' });
  await publish(
    eventOf([callOf(transactionId)]),
    eventOf('not calls'),
    eventOf([unwritable]),
    eventOf([callOf(transactionId)]),
  );
  await until(async () => (await logsOf(transactionId)).length === 2);
  await until(async () => (await bus.stats()).find(({ queue }) => queue === CALLS_QUEUE)?.dead === 2);
});

test('a failure that can pass, such as a deadlock, is retried', async () => {
  const delivery = { envelope: eventOf([callOf(randomUUID())]) } as Delivery;
  await sql`
    create function lose() returns trigger language plpgsql as $$
    begin raise 'deadlock detected' using errcode = '40P01'; end $$`.execute(database.db);
  await sql`create trigger losing before insert on inbox execute function lose()`.execute(database.db);
  const record = () => createCallRecorder(createLogWriter(database.db, sealed), logger)(delivery);
  expect(await record()).toEqual({ kind: 'retry', reason: 'deadlock detected' });
  await sql`drop trigger losing on inbox`.execute(database.db);
  expect(await record()).toEqual({ kind: 'ack' });
});

test('a database that is unavailable or full is reported, so that the message is held and spends no attempt', async () => {
  const delivery = { envelope: eventOf([callOf(randomUUID())]) } as Delivery;
  const unreachable = createDatabase<Schema>({ url: 'postgres://postgres@127.0.0.1:1/none', service: 'test', logger });
  const record = (db: typeof database.db) => createCallRecorder(createLogWriter(db, sealed), logger)(delivery);
  await expect(record(unreachable.db)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await unreachable.close();
  await sql`
    create function fill_disk() returns trigger language plpgsql as $$
    begin raise 'could not extend file' using errcode = '53100'; end $$`.execute(database.db);
  await sql`create trigger full_disk before insert on inbox execute function fill_disk()`.execute(database.db);
  await expect(record(database.db)).rejects.toMatchObject({ code: '53100' });
  await sql`drop function fill_disk cascade`.execute(database.db);
  expect(await record(database.db)).toEqual({ kind: 'ack' });
});

test('bodies are stored with any characters', async () => {
  const transactionId = randomUUID();
  const call = callOf(transactionId, { requestBody: { odd: 'a\0b \ud800 é' }, responseBody: 'plain text' });
  await publish(eventOf([callOf(randomUUID())]));
  await createLogWriter(database.db, sealed).record([{ messageId: uuidv7(), calls: [call] }]);
  expect(await logsOf(transactionId)).toEqual([call]);
});

const rowsOf = (transactionId: string) =>
  database.db.selectFrom('integration_logs').selectAll().where('transaction_id', '=', transactionId).execute();

test('bodies are encrypted in the table, and clear for administrators', async () => {
  const transactionId = randomUUID();
  const call = callOf(transactionId, { requestBody: { msisdn: '255713456089' }, responseBody: { phone: '713456089' } });
  await createLogWriter(database.db, sealed).record([{ messageId: uuidv7(), calls: [call] }]);
  const [row] = await rowsOf(transactionId);
  expect([row?.request_body, row?.response_body]).toEqual([null, null]);
  expect(row?.sealed?.toString('latin1')).not.toContain('713456089');
  expect(await logsOf(transactionId)).toEqual([call]);
});

test('calls of the previous release are readable, and their bodies are encrypted afterwards, in every month', async () => {
  const transactionId = randomUUID();
  const months = ['2026-03-05T10:00:00.000Z', '2026-02-05T10:00:00.000Z'];
  const calls = months.map((timestamp) => callOf(transactionId, { timestamp }));
  await createLogWriter(database.db, sealed).record([{ messageId: uuidv7(), calls }]);
  await database.db
    .updateTable('integration_logs')
    .set({ sealed: null, request_body: '{"amount":"1500"}', response_body: '{"status":"ACCEPTED"}' })
    .where('transaction_id', '=', transactionId)
    .execute();
  expect(await logsOf(transactionId)).toEqual(calls);
  expect(await sealed.sealSome(database.db, 100)).toBe(2);
  expect((await rowsOf(transactionId)).map(({ request_body }) => request_body)).toEqual([null, null]);
  expect(await logsOf(transactionId)).toEqual(calls);
});

test('a log is found by its id, and an unknown id is not found', async () => {
  const [call] = [callOf(randomUUID())];
  await publish(eventOf([call]));
  await until(async () => (await ask(`/internal/logs/${call.id}`)).status === 200);
  expect(IntegrationLogDetail.parse((await ask(`/internal/logs/${call.id}`)).body).log).toEqual(call);
  for (const id of [randomUUID(), 'nonsense']) {
    const { status, body } = await ask(`/internal/logs/${id}`);
    expect([status, body.error]).toEqual([404, 'Log not found']);
  }
});

test('only administrators see logs, and only through a service', async () => {
  for (const url of ['/internal/logs', '/internal/logs?generate=true', `/internal/logs/${randomUUID()}`]) {
    expect((await ask(url, { isAdmin: false, adminId: null, merchantId: 'ABCD' })).status).toBe(403);
    expect((await ask(url, null)).status).toBe(401);
    expect((await app.inject({ url })).statusCode).toBe(403);
  }
});

test('an administrator who reads calls is on the audit trail, once an hour for each transfer and call', async () => {
  const call = callOf(`T-${randomUUID()}`);
  await publish(eventOf([call]));
  await until(async () => (await logsOf(call.transactionId ?? '')).length === 1);
  const userId = randomUUID();
  for (const _ of [1, 2]) {
    await ask(`/internal/logs?transactionId=${call.transactionId}`, { userId });
    await ask(`/internal/logs/${call.id}`, { userId });
  }
  const recorded = (await listMessages(database.db)).map(({ envelope }) => envelope.data as ActionRecorded);
  expect(recorded.filter(({ actor }) => actor?.userId === userId)).toMatchObject([
    { action: 'provider-calls.viewed', subject: { kind: 'logs', id: call.transactionId }, after: { shown: 1 } },
    { action: 'provider-call.viewed', subject: { kind: 'logs', id: call.id } },
  ]);
});

test('test logs are created on request and marked as such', async () => {
  const { logs } = IntegrationLogs.parse((await ask('/internal/logs?generate=true')).body);
  const made = logs.filter(({ provider }) => provider === 'test');
  expect(made).toHaveLength(3);
  expect(made.every(({ transactionId }) => transactionId?.startsWith('TEST-'))).toBe(true);
});

test('at most 200 logs are listed', async () => {
  const transactionId = randomUUID();
  const calls = Array.from({ length: 250 }, () => callOf(transactionId));
  await createLogWriter(database.db, sealed).record([{ messageId: uuidv7(), calls }]);
  expect(await logsOf(transactionId)).toHaveLength(200);
});

test('months past the retention are dropped, the oldest retained month stays', async () => {
  const known = new Set<string>();
  const months = ['2015-12-31T12:00:00Z', '2016-01-15T12:00:00Z'].map((moment) => new Date(moment));
  await Promise.all([ensurePartitions(database.db, months, known), ensurePartitions(database.db, months, new Set())]);
  const dropped = await dropOldPartitions(database.db, new Date('2026-01-31T00:00:00Z'), 120);
  expect(dropped).toEqual(['integration_logs_2015_12']);
});
