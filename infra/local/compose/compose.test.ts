import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Containers, createContainers } from '#containers.ts';
import { type ApiClient, registerMerchant } from '../test/api-client.ts';
import { streamOrders } from '../test/order-stream.ts';
import type { Sender } from '../test/steady-load.ts';
import { type Merchant, setUp, untilReady } from './merchant.ts';

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
/** The services that keep running. */
const LASTING = [...SERVICES, 'postgres', 'rabbitmq'];
/** All except the gateway: a second one could not use its port while it runs. */
const REPLACED = ['wallet', 'identity', 'rates', 'integration-log', 'transfers', 'transfers-worker', 'admin'];
const START_MS = 300_000;
/** Each sends its next order once the last one is answered. */
const SENDERS = 16;
const LARGEST_IMAGE = 300e6;

let containers: Containers;
let admin: ApiClient;
let merchant: Merchant;

beforeAll(async () => {
  containers = await createContainers();
  await containers.set({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://jaeger:4318' });
  // If VUKA_VERSION is set, the image is already built.
  if (!process.env.VUKA_VERSION) await containers.compose('build');
  const startedMs = performance.now();
  await containers.compose('up', '--detach', '--wait');
  console.log(`up in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
}, START_MS * 2);
afterAll(() => containers?.remove(), START_MS);

test('administrators are created in the containers, and the whole job is done through the public door', async () => {
  ({ admin, merchant } = await setUp(containers));
  await merchant.send();
  expect(merchant.accepted).toHaveLength(1);
  await merchant.untilSettled();
  await merchant.expectExactBalance();
}, 120_000);

test('the spans of a transfer arrive where Jaeger would be, from every container that takes part', async () => {
  const spans = await containers.receiveSpans();
  await merchant.send();
  await merchant.untilSettled();
  const traceId = merchant.accepted.at(-1)?.replaceAll('-', '') ?? '';
  const senders = async () => {
    const sent = (await spans()).split('\n').filter((line) => line.includes(traceId));
    return new Set(sent.map((line) => /"service.name","value":\{"stringValue":"([\w-]+)"/.exec(line)?.[1]));
  };
  const all = ['gateway', 'transfers', 'wallet', 'transfers-worker', 'admin'];
  const haveSent = async () => (await senders()).isSupersetOf(new Set(all));
  await until(haveSent, { timeoutMs: 60_000, everyMs: 500, what: `spans of ${all}` });
}, 120_000);

test('the image is small, and no container needs more than half of its limit at rest', async () => {
  const [bytes, memory] = [await containers.imageBytes(), await containers.memory()];
  console.log('image', Math.round(bytes / 1e6), 'MB', memory);
  expect(bytes).toBeLessThan(LARGEST_IMAGE);
  for (const service of SERVICES) expect(Number.parseFloat(memory[service] ?? ''), service).toBeLessThan(256);
}, 60_000);

/** Waits until this many transfers are in the books and have ended. */
async function untilEnded(transfers: number): Promise<void> {
  const query = `select count(*), count(*) filter (where status in ('SETTLED', 'FAILED')) from transactions where transaction_type = 'transfer'`;
  const haveEnded = async () => (await containers.psql('vuka_transfers', query)) === `${transfers}|${transfers}`;
  await until(haveEnded, {
    timeoutMs: 120_000,
    everyMs: 1_000,
    what: `${transfers} transfers to end`,
  });
}

test.each(SERVICES)(
  '%s is restarted after a crash, and nothing is lost or paid twice',
  async (service) => {
    await merchant.send();
    await containers.crash(service);
    for (let sent = 0; sent < 5; sent += 1) await merchant.send();
    await containers.untilHealthy(LASTING);
    await untilReady(containers);
    await merchant.untilSettled();
    await merchant.expectExactBalance();
  },
  START_MS,
);

test.each(['rabbitmq', 'postgres'])(
  '%s is restarted while orders arrive, and nothing is lost or paid twice',
  async (server) => {
    const restart = containers.compose('restart', server);
    for (let sent = 0; sent < 10; sent += 1) await merchant.send();
    await restart;
    await containers.untilHealthy(LASTING);
    await untilReady(containers);
    await merchant.untilSettled();
    await merchant.expectExactBalance();
  },
  START_MS,
);

test(
  'each service behind the gateway is replaced beside its old container under load, and no order fails',
  async () => {
    const senders: Sender[] = [];
    while (senders.length < SENDERS) {
      const { client, user } = await registerMerchant(containers.address, admin, { KES: 500_000 });
      senders.push({ client, userId: user.id });
    }
    const startedMs = performance.now();
    const stream = streamOrders(senders, '+255754123456');
    await containers.replace(...REPLACED).finally(() => stream.stop());
    const seconds = (performance.now() - startedMs) / 1_000;
    console.log(
      `${stream.accepted.length} orders while containers were replaced`,
      (stream.accepted.length / seconds).toFixed(1),
      'per second',
    );
    expect(stream.failed).toEqual([]);
    expect(stream.accepted.length).toBeGreaterThan(SENDERS * REPLACED.length);
    await untilEnded(stream.accepted.length + merchant.accepted.length);
  },
  START_MS * 2,
);

test(
  'the gateway is replaced, and an order that found no gateway is accepted when it is repeated',
  async () => {
    const replacing = containers.replace('gateway');
    for (let sent = 0; sent < 5; sent += 1) await merchant.send();
    await replacing;
    await merchant.untilSettled();
    await merchant.expectExactBalance();
  },
  START_MS,
);

test(
  'down and up keep accounts, sessions and balances',
  async () => {
    await containers.compose('down', '--timeout', '20');
    await containers.compose('up', '--detach', '--wait');
    await untilReady(containers);
    await merchant.expectExactBalance();
    await merchant.send();
    await merchant.untilSettled();
    await merchant.expectExactBalance();
  },
  START_MS * 2,
);

test('the books hold their invariants after all of it', async () => {
  const { body } = await admin.get('/api/admin/ledger/audit');
  expect(body.invariants.filter(({ violations }: { violations: number }) => violations > 0)).toEqual([]);
});
