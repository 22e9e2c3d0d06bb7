import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { createTcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOutageHold } from '#messaging/hold-during-outage.ts';
import type { Delivery, MessageBus } from '#messaging/message-bus.ts';
import { createRabbitmqBus } from '#messaging/rabbitmq-bus.ts';
import { contractTopology, message } from './message-bus.suite.ts';

const logger = pino({ level: 'silent' });
const topology = {
  ...contractTopology,
  exchanges: contractTopology.exchanges.map((exchange) => ({ ...exchange, packs: exchange.name === 't.commands' })),
};
let vhost: TestVhost;
let buses: MessageBus[];
let bus: MessageBus;
beforeEach(async () => {
  vhost = await createTestVhost('packs');
  buses = [];
  bus = await start(vhost.amqpUrl);
});
afterEach(async () => {
  await Promise.all(buses.map((each) => each.close()));
  await vhost.drop();
});

async function start(url: string): Promise<MessageBus> {
  const started = createRabbitmqBus({ url, service: 'a', topology, logger, assertTopology: true });
  buses.push(started);
  await started.start();
  return started;
}

const works = (count: number) => Array.from({ length: count }, (_, n) => message('work.done.v1', { n }));
const numbersOf = (deliveries: Delivery[]) => deliveries.map(({ envelope }) => (envelope.data as { n: number }).n);
const figures = async () => (await bus.stats()).find(({ queue }) => queue === 'a.work');

test('a batch travels as one message, and each of its messages is handled once and in order', async () => {
  expect(await bus.publish(works(30))).toEqual(Array(30).fill({ status: 'confirmed' }));
  await until(async () => (await figures())?.ready === 1);
  const got: Delivery[] = [];
  await bus.subscribe('a.work', async (delivery) => void got.push(delivery), { prefetch: 1 });
  await until(() => got.length === 30);
  expect(numbersOf(got)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  expect(got[7]).toMatchObject({ routingKey: 'work.done.v1', attempt: 1, redelivered: false });
});

test('the prefetch limits the messages of packs that are handled at once', async () => {
  let inFlight = 0;
  let most = 0;
  let handled = 0;
  await bus.publish([...works(40), message('crash.now.v1'), ...works(40)]);
  await bus.subscribe(
    'a.work',
    async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      handled += 1;
    },
    { prefetch: 5 },
  );
  await until(() => handled === 80);
  expect(most).toBe(5);
});

test('a message of a pack that fails is retried alone, under its own id', async () => {
  const batch = works(5);
  const got: Delivery[] = [];
  await bus.publish(batch);
  await bus.subscribe(
    'a.work',
    async (delivery) => {
      got.push(delivery);
      const { n } = delivery.envelope.data as { n: number };
      if (n === 1 && delivery.attempt === 1) throw new Error('the database is unavailable');
      return n === 3 ? { kind: 'dead', reason: 'no such account' } : { kind: 'ack' };
    },
    { prefetch: 10 },
  );
  await until(() => got.length === 6);
  expect(numbersOf(got)).toEqual([0, 1, 2, 3, 4, 1]);
  expect(got[5]).toMatchObject({ attempt: 2, routingKey: 'work.done.v1', envelope: batch[1]?.envelope });
  await until(async () => (await figures())?.dead === 1);
  expect(await bus.listDead('a.work', 10)).toMatchObject([
    { id: batch[3]?.envelope.id, reason: 'no such account', attempts: 1, body: batch[3]?.envelope },
  ]);
});

test('a pack whose consumer was lost is split, and its messages are handled one by one', async () => {
  const { hostname, port } = new URL(vhost.amqpUrl);
  const proxy = await createTcpProxy({ host: hostname, port: Number(port || 5672) });
  const url = new URL(vhost.amqpUrl);
  url.host = `127.0.0.1:${proxy.port}`;
  const lost = await start(url.toString());
  let started = 0;
  let letGo: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await lost.subscribe(
    'a.work',
    async () => {
      started += 1;
      await held;
    },
    { prefetch: 3 },
  );
  await bus.publish(works(4));
  await until(() => started === 3);
  proxy.cut();
  const got: Delivery[] = [];
  await bus.subscribe('a.work', async (delivery) => void got.push(delivery), { prefetch: 1 });
  await until(() => got.length === 4, { timeoutMs: 15_000 });
  expect(numbersOf(got)).toEqual([0, 1, 2, 3]);
  expect(got.every(({ redelivered, attempt }) => redelivered && attempt === 1)).toBe(true);
  expect(got.every(({ routingKey }) => routingKey === 'work.done.v1')).toBe(true);
  letGo?.();
  await until(async () => (await figures())?.ready === 0);
  await proxy.close();
}, 30_000);

test('a pack that cannot be read is dead, with its text', async () => {
  const sent = { routing_key: 'a.work', payload: '[{"id": 1}]', payload_encoding: 'string', properties: {} };
  await vhost.management('POST', `/api/exchanges/${vhost.name}/a.settle/publish`, sent);
  await bus.subscribe('a.work', async () => undefined, { prefetch: 1 });
  await until(async () => (await figures())?.dead === 1);
  expect(await bus.listDead('a.work', 1)).toMatchObject([{ reason: 'malformed envelope', body: '[{"id": 1}]' }]);
});

test('a pack that is held too long is put back whole, also the messages that wait for their turn', async () => {
  const { amqpUrl } = vhost;
  const holding = createRabbitmqBus({
    url: amqpUrl,
    service: 'a',
    topology,
    logger,
    assertTopology: true,
    holdMs: 200,
  });
  buses.push(holding);
  await holding.start();
  const ping = async () => false;
  const handler = createOutageHold({ ping, logger, everyMs: 5 }).hold(() => Promise.reject(new Error('unavailable')));
  expect(await bus.publish(works(30))).toEqual(Array(30).fill({ status: 'confirmed' }));
  await until(async () => (await figures())?.ready === 1);
  const { stop } = await holding.subscribe('a.work', handler, { prefetch: 2 });
  // Two of them are held again.
  await until(async () => (await figures())?.ready === 28);
  await stop();
  await until(async () => (await figures())?.ready === 30);
  const got: Delivery[] = [];
  await bus.subscribe('a.work', async (delivery) => void got.push(delivery), { prefetch: 1 });
  await until(() => got.length === 30);
  expect(new Set(numbersOf(got)).size).toBe(30);
  expect(got.every(({ attempt, routingKey }) => attempt === 1 && routingKey === 'work.done.v1')).toBe(true);
});
