import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Caller } from '@vuka/access/caller';
import { askAs } from '@vuka/access/testing/ask-as';
import { testTokens } from '@vuka/access/testing/test-tokens';
import { FAILURE_SCENARIOS, FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { createDatabase, type Database } from '@vuka/service-kit/database';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { readKeyring } from '@vuka/service-kit/keyring';
import { createLogger } from '@vuka/service-kit/logger';
import type { MessageBus } from '@vuka/service-kit/messaging/message-bus';
import { migrate } from '@vuka/service-kit/migrate';
import { listMessages } from '@vuka/service-kit/outbox';
import { createServiceClient, type ServiceClient } from '@vuka/service-kit/service-client';
import { adminCaller } from '@vuka/test-kit/callers';
import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { buildApp } from '#app.ts';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { createSealedNotifications } from '#notifications/sealed-notifications.ts';

const SIMULATOR = fileURLToPath(new URL('../../../infra/payout-simulator/src/main.ts', import.meta.url));
const SIMULATOR_TOKEN = 'a-token-of-the-simulator';
const logger = createLogger({ service: 'admin-test', level: 'silent' });
const tokens = testTokens('admin');
const sealed = createSealedNotifications(readKeyring('data-key-of-at-least-thirty-two-characters'));
const admin: Caller = { ...adminCaller, userId: randomUUID() };
const booked = {
  currency: 'TZS',
  paid: { count: 3, amount: '4500.00' },
  failed: { count: 1, amount: '1500.00' },
  inFlight: { count: 0, amount: '0.00' },
};

let servers: TestDatabase[];
let database: Database<Schema>;
let simulatorProcess: ChildProcess;
let simulatorUrl: string;
let simulator: ServiceClient;
let closedPort: ServiceClient;
let books: ServiceClient;
const ledger = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ totals: [booked] }));
});
const apps: HttpApp[] = [];
let app: HttpApp;

const clientOf = (baseUrl: string) => createServiceClient({ baseUrl, to: 'transfers', tokens });
function build(of: { simulator?: ServiceClient; transfers?: ServiceClient }): HttpApp {
  const services = { identity: books, transfers: of.transfers ?? books, wallet: books, simulator: of.simulator };
  const bus = {} as MessageBus;
  const deps = { db: database.db, tokens, logger, now: () => new Date(), kickRelay: () => undefined, bus };
  const built = buildApp({ ...deps, ...services, sealed, roleNow: async () => 'owner', checks: {} });
  apps.push(built);
  return built;
}

beforeAll(async () => {
  servers = await Promise.all([createTestDatabase('admin_lab'), createTestDatabase('lab_simulator')]);
  const [own, simulators] = servers as [TestDatabase, TestDatabase];
  database = createDatabase<Schema>({ url: own.url, service: 'admin-test', logger });
  await migrate(database.db as never, migrations, logger);
  ledger.listen(0, '127.0.0.1');
  await once(ledger, 'listening');
  const unused = await freePort();
  simulatorUrl = `http://127.0.0.1:${await freePort()}`;
  [simulator, books, closedPort] = [
    simulatorUrl,
    `http://127.0.0.1:${(ledger.address() as AddressInfo).port}`,
    `http://127.0.0.1:${unused}`,
  ].map(clientOf) as [ServiceClient, ServiceClient, ServiceClient];
  const settings = {
    PORT: new URL(simulatorUrl).port,
    DATABASE_URL: simulators.url,
    SIMULATOR_TOKEN,
    SIMULATOR_DELAY_MS: '0',
    LOG_LEVEL: 'silent',
  };
  simulatorProcess = spawn(process.execPath, [SIMULATOR], { stdio: 'ignore', env: { ...process.env, ...settings } });
  await until(async () => (await fetch(`${simulatorUrl}/health/ready`)).ok, { timeoutMs: 30_000, what: 'it is ready' });
  app = build({ simulator });
}, 60_000);
afterAll(async () => {
  simulatorProcess.kill('SIGKILL');
  await Promise.all(apps.map((built) => built.close()));
  await Promise.all([simulator, closedPort, books].map((client) => client.close()));
  ledger.close();
  ledger.closeAllConnections();
  await database.close();
  await Promise.all(servers.map((server) => server.drop()));
});
beforeEach(async () => {
  await send('POST', '/internal/failure-lab/off');
  await database.db.deleteFrom('outbox').execute();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const sendTo = (
  of: HttpApp,
  method: 'GET' | 'POST',
  url: string,
  { payload, caller = admin }: { payload?: object; caller?: Caller } = {},
) => askAs('gateway', { app: of, service: 'admin' }, { method, url, payload, caller });
const send = (method: 'GET' | 'POST', url: string, payload?: object) =>
  sendTo(app, method, url, payload ? { payload } : {});
const lab = '/internal/failure-lab';

async function pay(phoneNumber = '255763000000'): Promise<string> {
  const answer = await fetch(`${simulatorUrl}/v2/payouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SIMULATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      payoutId: randomUUID(),
      amount: '1500',
      currency: 'TZS',
      recipient: { type: 'MMO', accountDetails: { phoneNumber, provider: 'VODACOM_TZA' } },
    }),
  });
  return ((await answer.json()) as { status: string }).status;
}

async function recorded() {
  const messages = await listMessages(database.db);
  return messages.map(({ envelope }) => envelope.data as Record<string, unknown>);
}

test('the lab lists every scenario with its effect and the outcome for the money, and none is on', async () => {
  const { status, body } = await send('GET', lab);
  expect(status).toBe(200);
  expect(body.scenarios.map(({ id }: { id: string }) => id)).toEqual(Object.keys(FAILURE_SCENARIOS));
  expect(body.scenarios[0]).toEqual({ id: 'timeout_paid', ...FAILURE_SCENARIOS.timeout_paid });
  expect(body).toMatchObject({ active: [], otherActive: 0, books: [booked] });
});

test('an active scenario affects the requested number of payouts to the requested phone number', async () => {
  const settings = { payouts: 2, currency: 'TZS', phone: '+255763000001' };
  const { status, body } = await send('POST', `${lab}/closed/on`, settings);
  const active = { scenario: 'closed', payoutsLeft: 2, currency: 'TZS', phone: '+255763000001' };
  expect([status, body.active]).toMatchObject([200, [active]]);
  expect(await pay()).toBe('ACCEPTED');
  expect(await pay('255763000001')).toBe('REJECTED');
  expect((await send('GET', lab)).body.active).toMatchObject([{ ...active, payoutsLeft: 1 }]);
  expect(await pay('255763000001')).toBe('REJECTED');
  expect((await send('GET', lab)).body.active).toEqual([]);
  expect(await pay('255763000001')).toBe('ACCEPTED');
});

test('the simulator knows every scenario of the lab, and each is off again when it is switched off', async () => {
  for (const scenario of FailureScenarioId.options) {
    expect([scenario, (await send('POST', `${lab}/${scenario}/on`, { payouts: null })).status]).toEqual([
      scenario,
      200,
    ]);
  }
  expect((await send('GET', lab)).body.active).toHaveLength(FailureScenarioId.options.length);
  const { body } = await send('POST', `${lab}/closed/off`);
  expect(body.active).toHaveLength(FailureScenarioId.options.length - 1);
  expect((await send('POST', `${lab}/off`)).body.active).toEqual([]);
  expect(await pay()).toBe('ACCEPTED');
});

test('failures switched on past the lab are counted, and switched off with all others', async () => {
  const order = { match: { every: true }, effect: 'closed' };
  await simulator.post('/sim/scenarios', order, z.unknown());
  expect((await send('GET', lab)).body).toMatchObject({ active: [], otherActive: 1 });
  expect((await send('POST', `${lab}/off`)).body.otherActive).toBe(0);
});

test('the trail has who switched which scenario on and off, and nothing about one that was off already', async () => {
  await send('POST', `${lab}/closed/on`, { payouts: null, currency: 'KES' });
  await send('POST', `${lab}/closed/off`);
  await send('POST', `${lab}/closed/off`);
  await send('POST', `${lab}/reject/on`, { payouts: 1 });
  await send('POST', `${lab}/off`);
  await send('POST', `${lab}/off`);
  const subject = { kind: 'simulator', id: 'closed', label: 'The network is closed' };
  expect(await recorded()).toMatchObject([
    { action: 'failure.switched-on', actor: { adminId: 'ADM1' }, subject, after: { payouts: null, currency: 'KES' } },
    { action: 'failure.switched-off', subject, before: { payoutsLeft: null, currency: 'KES' } },
    { action: 'failure.switched-on', subject: { id: 'reject' }, after: { payouts: 1 } },
    { action: 'failure.all-switched-off', subject: { id: 'failure-lab' }, before: { scenarios: ['reject'] } },
  ]);
});

test.each([
  [{ payouts: 0 }],
  [{ payouts: 1_001 }],
  [{ payouts: 1.5 }],
  [{}],
  [{ payouts: 1, currency: 'USD' }],
  [{ payouts: 1, phone: '0712345678' }],
])('%j is refused, and switches nothing on', async (settings) => {
  expect((await send('POST', `${lab}/closed/on`, settings)).status).toBe(400);
  expect(await recorded()).toEqual([]);
  expect((await send('GET', lab)).body.active).toEqual([]);
});

test('the lab works without our books while they are unavailable; without the simulator it is unavailable', async () => {
  expect((await sendTo(build({ simulator, transfers: closedPort }), 'GET', lab)).body).toMatchObject({ books: null });
  const unreachable = build({ simulator: closedPort });
  expect((await sendTo(unreachable, 'GET', lab)).status).toBe(503);
  expect((await sendTo(unreachable, 'POST', `${lab}/closed/on`, { payload: { payouts: 1 } })).status).toBe(503);
  const actions = (await recorded()).map(({ action }) => action);
  expect(actions).toEqual(['failure.switched-on', 'failure.not-switched']);
});

test('with a real provider there is no lab, and nothing mentions a demonstration', async () => {
  const real = build({});
  for (const [method, path] of [
    ['GET', lab],
    ['POST', `${lab}/off`],
    ['POST', `${lab}/closed/off`],
  ] as const) {
    expect((await sendTo(real, method, path)).status).toBe(404);
  }
  expect((await sendTo(real, 'POST', `${lab}/closed/on`, { payload: { payouts: 1 } })).status).toBe(404);
  expect(await recorded()).toEqual([]);
  expect((await sendTo(real, 'GET', '/internal/about')).body).not.toHaveProperty('isDemo');
  expect((await send('GET', '/internal/about')).body).toMatchObject({ isDemo: true });
});

test('merchants cannot use the lab', async () => {
  const merchant = { ...admin, isAdmin: false, adminId: null };
  expect((await sendTo(app, 'GET', lab, { caller: merchant })).status).toBe(403);
  expect((await sendTo(app, 'POST', `${lab}/off`, { caller: merchant })).status).toBe(403);
});
