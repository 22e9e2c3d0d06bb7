import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { until } from '@vuka/test-kit/until';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOutageHold } from '#messaging/hold-during-outage.ts';
import type { Delivery, MessageBus } from '#messaging/message-bus.ts';
import { createRabbitmqBus } from '#messaging/rabbitmq-bus.ts';
import { contractTopology, message } from './message-bus.suite.ts';

const logger = pino({ level: 'silent' });
let vhost: TestVhost;
let bus: MessageBus;
let isAvailable: boolean;
let checks: number;
let deliveries: Delivery[];
beforeEach(async () => {
  [isAvailable, checks, deliveries] = [false, 0, []];
  vhost = await createTestVhost('outage');
  bus = createRabbitmqBus({
    url: vhost.amqpUrl,
    service: 'a',
    topology: contractTopology,
    logger,
    assertTopology: true,
  });
  await bus.start();
});
afterEach(async () => {
  await bus.close();
  await vhost.drop();
});

const createHold = () =>
  createOutageHold({
    logger,
    everyMs: 5,
    ping: async () => {
      checks += 1;
      return isAvailable;
    },
  });

async function record(delivery: Delivery): Promise<void> {
  deliveries.push(delivery);
  if (!isAvailable) throw new Error('the database is unavailable');
}

const figures = async () => (await bus.stats()).find(({ queue }) => queue === 'a.work');

test('messages of an outage are held and handled afterwards, without spending an attempt', async () => {
  const subscription = await bus.subscribe('a.work', createHold().hold(record), { prefetch: 2 });
  await bus.publish([1, 2, 3].map(() => message('work.done.v1')));
  await until(() => checks > 200, { what: 'many checks have failed' });
  expect(deliveries).toHaveLength(2);
  expect(await figures()).toMatchObject({ dead: 0, delayed: 0 });
  isAvailable = true;
  await until(() => new Set(deliveries.map(({ envelope }) => envelope.id)).size === 3 && deliveries.length === 5);
  expect(deliveries.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1]);
  await subscription.stop();
});

test('a message that met the end of an outage is handled at once, not after the delays of its retries', async () => {
  isAvailable = true;
  let runs = 0;
  const hold = createHold().hold(async () => {
    runs += 1;
    if (runs < 3) throw Object.assign(new Error('the server is starting'), { code: '57P03' });
  });
  await hold({ signal: new AbortController().signal } as Delivery);
  expect(runs).toBe(3);
  const broken = createHold().hold(() => Promise.reject(Object.assign(new Error('disk'), { code: '58030' })));
  await expect(broken({ signal: new AbortController().signal } as Delivery)).rejects.toThrow('disk');
});

test('a failure while the database is available is retried as ever', async () => {
  isAvailable = true;
  const hold = createHold();
  const failing = hold.hold(() => Promise.reject(new Error('a neighbour is unavailable')));
  await expect(failing({ signal: new AbortController().signal } as Delivery)).rejects.toThrow('a neighbour');
  const refusing = hold.hold(async () => ({ kind: 'dead', reason: 'unreadable' }));
  expect(await refusing({ signal: new AbortController().signal } as Delivery)).toMatchObject({ kind: 'dead' });
});

test('a process that stops during an outage holds nothing back', async () => {
  const hold = createHold();
  const held = hold.hold(record)({ signal: new AbortController().signal } as Delivery);
  await until(() => checks > 3);
  hold.end();
  await expect(held).rejects.toThrow('the database is unavailable');
});
