import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Containers, createContainers } from '#containers.ts';
import { type ApiClient, createApiClient, order, registerMerchant, setAnyRate } from '../test/api-client.ts';

const SERVICES = [
  'gateway',
  'identity',
  'wallet',
  'transfers',
  'transfers-worker',
  'rates',
  'admin',
  'integration-log',
  'payout-simulator',
];
const ADMINS = ['one@vuka.test', 'two@vuka.test'] as const;
/** All that keep running. */
const LASTING = [...SERVICES, 'postgres', 'rabbitmq'];
/** The order of docs/runbooks/deploy-and-upgrade.md. The gateway's port is taken while it runs. */
const REPLACED = ['wallet', 'identity', 'rates', 'integration-log', 'transfers', 'transfers-worker', 'admin'];
const START_MS = 300_000;
const FUNDS = 1_000_000;
/** Between orders, so that they stay below the limit of a day. */
const PAUSE_MS = 300;
const LARGEST_IMAGE = 300e6;

let containers: Containers;
let admin: ApiClient;
let merchant: ApiClient;
/** Every transfer that was accepted. */
const accepted: string[] = [];

beforeAll(async () => {
  containers = await createContainers();
  // An image that VUKA_VERSION names was built before.
  if (!process.env.VUKA_VERSION) await containers.compose('build');
  const startedMs = performance.now();
  await containers.compose('up', '--detach', '--wait');
  console.log(`up in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
}, START_MS * 2);
afterAll(() => containers?.remove(), START_MS);

const isReady = async () => (await fetch(`${containers.address}/health/ready`)).ok;
const untilReady = () =>
  until(() => isReady().catch(() => false), { timeoutMs: START_MS, everyMs: 500, what: 'the gateway to be ready' });

/**
 * Sends an order until it is accepted, as the web app does: one whose answer was lost may have been accepted. Returns how often it was
 * sent.
 */
async function send(): Promise<number> {
  const body = order();
  let sent = 0;
  const isAccepted = async () => {
    sent += 1;
    const answer = await merchant.post('/api/transactions/create', body);
    if (answer.status !== 201 && answer.status !== 200) return false;
    return accepted.push(answer.body.transaction.id);
  };
  await until(isAccepted, { timeoutMs: START_MS, everyMs: 500, what: 'an order to be accepted' });
  return sent;
}

async function untilSettled(): Promise<void> {
  for (const id of accepted) {
    const isSettled = async () => (await merchant.get(`/api/transactions/${id}`)).body.transaction.status === 'SETTLED';
    await until(() => isSettled().catch(() => false), { timeoutMs: 180_000, everyMs: 500, what: `${id} to settle` });
  }
}

/** 1,000 KES have left the wallet for each accepted transfer, and nothing else. */
async function expectExactBalance(): Promise<void> {
  const { body } = await merchant.get('/api/balances');
  expect(body.balances.KES).toBe(`${FUNDS - accepted.length * 1_000}.00`);
}

test('administrators are created in the containers, and the whole job is done through the public door', async () => {
  const admins: ApiClient[] = [];
  for (const email of ADMINS) {
    const said = await containers.compose(
      ...['exec', '-T', 'identity', 'node', 'services/identity/src/create-admin.ts', '--email', email],
    );
    const pin = /The PIN is (\d{4})/.exec(said)?.[1] ?? '';
    const client = createApiClient(containers.address);
    expect((await client.post('/api/login', { username: email, pin })).status).toBe(200);
    admins.push(client);
  }
  const [first, second] = admins as [ApiClient, ApiClient];
  admin = first;
  await admin.post('/api/admin/step-up', { pin: admin.pin });
  await setAnyRate([first, second], { buyRate: 23.5, markup: 2 });
  ({ client: merchant } = await registerMerchant(containers.address, admin, { KES: FUNDS }));
  await send();
  expect(accepted).toHaveLength(1);
  await untilSettled();
  await expectExactBalance();
}, 120_000);

test('the image is small, and no container needs more than half of its limit at rest', async () => {
  const [bytes, memory] = [await containers.imageBytes(), await containers.memory()];
  console.log('image', Math.round(bytes / 1e6), 'MB', memory);
  expect(bytes).toBeLessThan(LARGEST_IMAGE);
  for (const service of SERVICES) expect(Number.parseFloat(memory[service] ?? ''), service).toBeLessThan(256);
}, 60_000);

test.each(SERVICES)(
  '%s is restarted after a crash, and nothing is lost or paid twice',
  async (service) => {
    await send();
    await containers.crash(service);
    for (let sent = 0; sent < 5; sent += 1) await send();
    await containers.untilHealthy(LASTING);
    await untilReady();
    await untilSettled();
    await expectExactBalance();
  },
  START_MS,
);

test.each(['rabbitmq', 'postgres'])(
  '%s is restarted while orders arrive, and nothing is lost or paid twice',
  async (server) => {
    const restart = containers.compose('restart', server);
    for (let sent = 0; sent < 10; sent += 1) await send();
    await restart;
    await containers.untilHealthy(LASTING);
    await untilReady();
    await untilSettled();
    await expectExactBalance();
  },
  START_MS,
);

test(
  'each service behind the gateway is replaced beside its old container while orders arrive, and nothing is lost or paid twice',
  async () => {
    const before = accepted.length;
    let isReplacing = true;
    const replacing = (async () => {
      for (const service of REPLACED) await containers.replaceBeside(service);
    })().finally(() => {
      isReplacing = false;
    });
    let askedTimes = 0;
    while (isReplacing) {
      askedTimes += await send();
      await delay(PAUSE_MS);
    }
    await replacing;
    console.log(`${accepted.length - before} orders while containers were replaced, asked ${askedTimes} times`);
    await untilSettled();
    await expectExactBalance();
  },
  START_MS * 2,
);

test(
  'down and up keep accounts, sessions and balances',
  async () => {
    await containers.compose('down', '--timeout', '20');
    await containers.compose('up', '--detach', '--wait');
    await untilReady();
    await expectExactBalance();
    await send();
    await untilSettled();
    await expectExactBalance();
  },
  START_MS * 2,
);

test('the books hold their invariants after all of it', async () => {
  const { body } = await admin.get('/api/admin/ledger/audit');
  expect(body.invariants.filter(({ violations }: { violations: number }) => violations > 0)).toEqual([]);
});
