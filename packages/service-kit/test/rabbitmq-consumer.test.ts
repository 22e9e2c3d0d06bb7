import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AmqpLink, createAmqpLink } from '#messaging/amqp-link.ts';
import type { Delivery, MessageBus, Subscription } from '#messaging/message-bus.ts';
import { createRabbitmqBus } from '#messaging/rabbitmq-bus.ts';
import { startRabbitmqConsumer } from '#messaging/rabbitmq-consumer.ts';
import { createRabbitmqPublisher } from '#messaging/rabbitmq-publisher.ts';
import { queueOf } from '#messaging/routing.ts';
import { contractTopology, message } from './message-bus.suite.ts';

const logger = pino({ level: 'silent' });
let vhost: TestVhost;
let bus: MessageBus;
let proxy: TcpProxy;
let link: AmqpLink;
let consumers: Subscription[];
let deliveries: Delivery[];
let asked: number;
beforeEach(async () => {
  [consumers, deliveries, asked] = [[], [], 0];
  vhost = await createTestVhost('consumer');
  bus = createRabbitmqBus({
    url: vhost.amqpUrl,
    service: 'a',
    topology: contractTopology,
    logger,
    assertTopology: true,
  });
  await bus.start();
  const { hostname, port } = new URL(vhost.amqpUrl);
  proxy = await createTcpProxy({ host: hostname, port: Number(port || 5672) });
});
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  await link.close();
  await bus.close();
  await proxy.close();
  await vhost.drop();
});

/**
 * A consumer that still receives from the broker, and whose first attempt at a message fails. It publishes over the
 * proxy.
 */
async function startFailingConsumer(): Promise<Subscription> {
  const url = new URL(vhost.amqpUrl);
  url.host = `127.0.0.1:${proxy.port}`;
  const setup = async (channel: Parameters<typeof publisher.attach>[0]) => publisher.attach(channel);
  const publisher = createRabbitmqPublisher(() => link, 500);
  link = createAmqpLink({ url: url.toString(), name: 'publisher', logger, setup });
  await link.firstAttempt;
  const consumer = await startRabbitmqConsumer({
    url: vhost.amqpUrl,
    name: 'consumer',
    logger,
    publisher: {
      ...publisher,
      publish(messages) {
        asked += 1;
        return publisher.publish(messages);
      },
    },
    queue: queueOf(contractTopology, 'a.work'),
    async handler(delivery) {
      deliveries.push(delivery);
      if (delivery.attempt === 1) throw new Error('the database is unavailable');
    },
    prefetch: 10,
  });
  consumers.push(consumer);
  return consumer;
}

const figures = async () => (await bus.stats()).find(({ queue }) => queue === 'a.work');

test('holds a failed message for as long as nothing can be published, and then queues it for a retry', async () => {
  await startFailingConsumer();
  proxy.cut();
  await until(() => link.channel() === undefined);
  await bus.publish([message('work.done.v1')]);
  await until(() => asked > 4, { timeoutMs: 15_000 });
  expect(deliveries.map(({ attempt }) => attempt)).toEqual([1]);
  proxy.restore();
  await until(() => deliveries.length === 2, { timeoutMs: 15_000 });
  expect(deliveries.map(({ attempt }) => attempt)).toEqual([1, 2]);
  await until(async () => (await figures())?.ready === 0);
  expect(await figures()).toMatchObject({ delayed: 0, dead: 0 });
}, 30_000);

test('returns a held message to the broker when it stops', async () => {
  const consumer = await startFailingConsumer();
  proxy.cut();
  await until(() => link.channel() === undefined);
  await bus.publish([message('work.done.v1')]);
  await until(() => asked > 0);
  await consumer.stop();
  consumers = [];
  const got: Delivery[] = [];
  await bus.subscribe('a.work', async (delivery) => void got.push(delivery), { prefetch: 1 });
  await until(() => got.length === 1);
  expect(got[0]).toMatchObject({ attempt: 1, redelivered: true });
});
