import { setImmediate } from 'node:timers/promises';
import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { until } from '@vuka/test-kit/until';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutageHold } from '#messaging/hold-during-outage.ts';
import type { Delivery, MessageBus } from '#messaging/message-bus.ts';
import { createRabbitmqBus } from '#messaging/rabbitmq-bus.ts';
import { contractTopology, message } from './message-bus.suite.ts';
import { BEGINS, ENDS, loggerTo } from './outage-log.ts';

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

const aDelivery = (change: Partial<Delivery> = {}) => {
  const { signal } = new AbortController();
  return { signal, stopping: signal, waitUntilMs: performance.now() + 60_000, ...change } as Delivery;
};

test('a message that met the end of an outage is handled at once, not after the delays of its retries', async () => {
  isAvailable = true;
  let runs = 0;
  const hold = createHold().hold(async () => {
    runs += 1;
    if (runs < 3) throw Object.assign(new Error('the server is starting'), { code: '57P03' });
  });
  await hold(aDelivery());
  expect(runs).toBe(3);
  const broken = createHold().hold(() => Promise.reject(Object.assign(new Error('too slow'), { code: '57P05' })));
  await expect(broken(aDelivery())).rejects.toThrow('too slow');
});

test('a failure while the database is available is retried as ever', async () => {
  isAvailable = true;
  const hold = createHold();
  const failing = hold.hold(() => Promise.reject(new Error('a neighbour is unavailable')));
  await expect(failing(aDelivery())).rejects.toThrow('a neighbour');
  const refusing = hold.hold(async () => ({ kind: 'dead', reason: 'unreadable' }));
  expect(await refusing(aDelivery())).toMatchObject({ kind: 'dead' });
});

test('a message is put back when its consumer stops, and its handler does not run first if the outage is known', async () => {
  const stopping = new AbortController();
  const handler = createHold().hold(record);
  const held = handler(aDelivery({ stopping: stopping.signal }));
  await until(() => checks > 3);
  stopping.abort();
  expect(await held).toEqual({ kind: 'again' });
  expect(await handler(aDelivery({ stopping: stopping.signal }))).toEqual({ kind: 'again' });
  expect(deliveries).toHaveLength(1);
});

test('a message that the bus has taken away is held no longer', async () => {
  const lost = new AbortController();
  const held = createHold().hold(record)(aDelivery({ signal: lost.signal }));
  await until(() => checks > 3);
  lost.abort();
  await held;
  expect(deliveries).toHaveLength(1);
});

test('messages take turns in asking, and go on when one of them is put back', async () => {
  isAvailable = true;
  let isFull = true;
  const runs = new Map<Delivery, number>();
  const handler = createHold().hold(async (delivery) => {
    runs.set(delivery, (runs.get(delivery) ?? 0) + 1);
    if (isFull) throw Object.assign(new Error('no space left on device'), { code: '53100' });
  });
  const stopping = new AbortController();
  const [first, second] = [aDelivery({ stopping: stopping.signal }), aDelivery()];
  const held = [handler(first), handler(second)];
  await until(() => (runs.get(first) ?? 0) > 3 && (runs.get(second) ?? 0) > 3);
  stopping.abort();
  expect(await held[0]).toEqual({ kind: 'again' });
  const before = runs.get(second) ?? 0;
  await until(() => (runs.get(second) ?? 0) > before + 3);
  isFull = false;
  expect(await held[1]).toBeUndefined();
});

describe('what the log says of an outage', () => {
  const full = () => Object.assign(new Error('no space left on device'), { code: '53100' });
  let lines: string[];
  let ping: () => Promise<boolean>;
  const createLogged = () => {
    return createOutageHold({ logger: loggerTo(() => lines), everyMs: 5, ping: () => ping() });
  };
  beforeEach(() => {
    lines = [];
    ping = async () => true;
  });

  test('it ends once, although a message is handled while the database is pinged', async () => {
    let isFull = true;
    const handler = createLogged().hold(async () => {
      if (isFull) throw full();
    });
    const stopping = new AbortController();
    const held = handler(aDelivery({ stopping: stopping.signal }));
    await until(() => lines.length === 1);
    const pinged = Promise.withResolvers<boolean>();
    let pings = 0;
    ping = () => {
      pings += 1;
      return pinged.promise;
    };
    await until(() => pings === 1);
    stopping.abort();
    expect(await held).toEqual({ kind: 'again' });
    isFull = false;
    await handler(aDelivery());
    expect(lines).toEqual([BEGINS, ENDS]);
    // Everything that waited for this ping runs before the next macrotask.
    pinged.resolve(true);
    await setImmediate();
    expect(lines).toEqual([BEGINS, ENDS]);
  });

  test('it does not end by the failure of a message that the bus has taken away', async () => {
    const lost = new AbortController();
    const started = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const handler = createLogged().hold(async ({ signal }) => {
      if (signal !== lost.signal) throw full();
      started.resolve();
      await answer.promise;
      throw full();
    });
    const stopping = new AbortController();
    const held = handler(aDelivery({ stopping: stopping.signal }));
    await until(() => lines.length === 1);
    stopping.abort();
    await held;
    const late = handler(aDelivery({ signal: lost.signal }));
    await started.promise;
    lost.abort();
    answer.resolve();
    await expect(late).rejects.toThrow('no space left');
    expect(lines).toEqual([BEGINS]);
  });
});
