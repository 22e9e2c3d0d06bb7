import type { CloudEvent } from '@vuka/contracts/messages/envelope';
import type { TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Delivery, MessageBus, OutgoingMessage, Topology } from '#messaging/message-bus.ts';

/** A dead message as an operator would see it. */
export interface DeadMessage {
  reason: string;
  id: string | undefined;
  routingKey: string;
}

/** What an adapter's test file provides: its own broker space and the ways to look behind the port. */
export interface BusWorld {
  createBus(options?: { proxy?: TcpProxy; assertTopology?: boolean; topology?: Topology }): MessageBus;
  createProxy(): Promise<TcpProxy>;
  /** Puts a body into a queue past the bus. */
  inject(queue: string, body: unknown): Promise<void>;
  deadMessages(queue: string): Promise<DeadMessage[]>;
  /** A queue that the declared topology contradicts. */
  mismatched: Topology;
  /** How long a message may stay with a consumer that is gone. */
  crashRedeliveryMs: number;
  drop(): Promise<void>;
}

const RETRIES_MS = [200, 400];

function queue(name: string, keys: string[], exchange = 't.events') {
  return {
    name,
    bindings: keys.map((key) => ({ exchange, key })),
    retryDelaysMs: RETRIES_MS,
    deliveryLimit: 2,
  };
}

export const contractTopology: Topology = {
  exchanges: [
    { name: 't.commands', type: 'topic' },
    { name: 't.events', type: 'topic', alternate: 't.unrouted' },
    { name: 't.unrouted', type: 'fanout' },
  ],
  queues: [
    queue('a.orders', ['order.*.v1']),
    queue('a.everything', ['order.#']),
    queue('a.work', ['work.done.v1'], 't.commands'),
    queue('a.crash', ['crash.now.v1'], 't.commands'),
    queue('a.bulk', ['bulk.load.v1'], 't.commands'),
    { ...queue('t.unrouted', [''], 't.unrouted'), maxLength: 1000 },
  ],
  services: {
    a: { publishes: ['t.commands', 't.events'], consumes: ['a.orders', 'a.everything', 'a.work', 'a.crash', 'a.bulk'] },
  },
};

let lastNumber = 0;

export function message(routingKey: string, data: unknown = {}, exchange = 't.commands'): OutgoingMessage {
  lastNumber += 1;
  const envelope: CloudEvent = {
    specversion: '1.0',
    id: `01900000-0000-7000-8000-${String(lastNumber).padStart(12, '0')}`,
    source: '/test',
    type: routingKey,
    time: '2026-01-15T09:00:00.000Z',
    datacontenttype: 'application/json',
    data,
  };
  return { exchange, routingKey, envelope, requireRoute: true };
}

/** The suite that both adapters pass: what a service may rely on, whatever carries its messages. */
export function describeMessageBus(createWorld: () => Promise<BusWorld>): void {
  let world: BusWorld;
  let bus: MessageBus;
  let buses: MessageBus[];
  let proxies: TcpProxy[];

  beforeAll(async () => {
    buses = [];
    proxies = [];
    world = await createWorld();
    bus = world.createBus();
    await bus.start();
  });

  afterEach(async () => {
    await Promise.all(buses.splice(0).map((one) => one.close()));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  });

  afterAll(async () => {
    await bus?.close();
    await world?.drop();
  });

  async function anotherBus(options: Parameters<BusWorld['createBus']>[0] = {}): Promise<MessageBus> {
    const another = world.createBus(options);
    buses.push(another);
    await another.start();
    return another;
  }

  async function createProxy(): Promise<TcpProxy> {
    const proxy = await world.createProxy();
    proxies.push(proxy);
    return proxy;
  }

  async function collect(
    name: string,
    on: MessageBus = bus,
    prefetch = 10,
  ): Promise<{ got: Delivery[]; stop(): Promise<void> }> {
    const got: Delivery[] = [];
    const { stop } = await on.subscribe(name, async (delivery) => void got.push(delivery), { prefetch });
    return { got, stop };
  }

  async function countOf(name: string, figure: 'ready' | 'dead' | 'delayed'): Promise<number | null> {
    return (await bus.stats()).find((one) => one.queue === name)?.[figure] ?? null;
  }

  const confirmed = { status: 'confirmed' };

  test('delivers the envelope as it was published', async () => {
    const { got, stop } = await collect('a.work');
    const sent = message('work.done.v1', { text: 'Habari, Zürich 🦁', nested: { amount: '12.50' } });
    sent.envelope.traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    sent.envelope.correlationid = 'transfer-1';
    sent.envelope.sequence = 7;
    expect(await bus.publish([sent])).toEqual([confirmed]);
    await until(() => got.length === 1);
    expect(got[0]?.envelope).toEqual(sent.envelope);
    expect(got[0]).toMatchObject({ queue: 'a.work', routingKey: 'work.done.v1', attempt: 1, redelivered: false });
    await stop();
  });

  test('copies an event to every queue that wants it, by one word or by many', async () => {
    const one = await collect('a.orders');
    const many = await collect('a.everything');
    await bus.publish([
      message('order.placed.v1', {}, 't.events'),
      message('order.item.added.v1', {}, 't.events'),
      message('order', {}, 't.events'),
    ]);
    await until(() => one.got.length === 1 && many.got.length === 3);
    expect(one.got.map(({ routingKey }) => routingKey)).toEqual(['order.placed.v1']);
    await Promise.all([one.stop(), many.stop()]);
  });

  test('tells of each message that no queue takes, in the order of the batch', async () => {
    const { got, stop } = await collect('a.work');
    const outcomes = await bus.publish([
      message('work.done.v1'),
      message('nobody.cares.v1'),
      message('work.done.v1'),
      { ...message('nobody.cares.v1'), requireRoute: false },
    ]);
    expect(outcomes).toEqual([confirmed, { status: 'unroutable' }, confirmed, confirmed]);
    await until(() => got.length === 2);
    await stop();
  });

  test('keeps an event without a subscriber in the alternate queue', async () => {
    expect(await bus.publish([message('nobody.cares.v1', {}, 't.events')])).toEqual([confirmed]);
    await until(async () => (await countOf('t.unrouted', 'ready')) === 1);
  });

  test('shares a queue between two consumers, each message once and never more in flight than asked', async () => {
    const seen: string[] = [];
    let inFlight = 0;
    let mostInFlight = 0;
    const handler = async (delivery: Delivery) => {
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(delivery.envelope.id);
      inFlight -= 1;
    };
    const second = await anotherBus();
    const subscriptions = await Promise.all([
      bus.subscribe('a.work', handler, { prefetch: 5 }),
      second.subscribe('a.work', handler, { prefetch: 5 }),
    ]);
    const batch = Array.from({ length: 300 }, () => message('work.done.v1'));
    await bus.publish(batch);
    await until(() => seen.length >= 300);
    await Promise.all(subscriptions.map((subscription) => subscription.stop()));
    expect(new Set(seen).size).toBe(300);
    expect(seen).toHaveLength(300);
    expect(mostInFlight).toBeLessThanOrEqual(10);
  });

  test('keeps the order for a single handler', async () => {
    const { got, stop } = await collect('a.work', bus, 1);
    await bus.publish(Array.from({ length: 50 }, (_, n) => message('work.done.v1', { n })));
    await until(() => got.length === 50);
    expect(got.map(({ envelope }) => (envelope.data as { n: number }).n)).toEqual(
      Array.from({ length: 50 }, (_, n) => n),
    );
    await stop();
  });

  test('retries a message whose handler throws after each delay, and then keeps it as dead', async () => {
    const attempts: { attempt: number; at: number; key: string }[] = [];
    const subscription = await bus.subscribe(
      'a.work',
      async ({ attempt, routingKey }) => {
        attempts.push({ attempt, at: Date.now(), key: routingKey });
        throw new Error('the provider is away');
      },
      { prefetch: 5 },
    );
    const sent = message('work.done.v1');
    await bus.publish([sent]);
    await until(async () => (await world.deadMessages('a.work')).length === 1);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(attempts.every(({ key }) => key === 'work.done.v1')).toBe(true);
    const waits = attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0));
    expect(waits[0]).toBeGreaterThanOrEqual(195);
    expect(waits[1]).toBeGreaterThanOrEqual(395);
    expect(Math.max(...waits)).toBeLessThan(3000);
    const [dead] = await world.deadMessages('a.work');
    expect(dead).toMatchObject({ id: sent.envelope.id, routingKey: 'work.done.v1' });
    expect(dead?.reason).toContain('the provider is away');
    await subscription.stop();
    expect(await bus.redrive('a.work', 10)).toBe(1);
    const { stop } = await collect('a.work');
    await until(async () => (await countOf('a.work', 'ready')) === 0);
    await stop();
  });

  test('gives up at once on a message that its handler calls dead, and redrives it as a first attempt', async () => {
    let verdict: 'dead' | 'ack' = 'dead';
    const got: Delivery[] = [];
    const subscription = await bus.subscribe(
      'a.work',
      async (delivery) => {
        got.push(delivery);
        return { kind: verdict, reason: 'no such account' };
      },
      { prefetch: 5 },
    );
    const sent = message('work.done.v1');
    await bus.publish([sent]);
    await until(async () => (await world.deadMessages('a.work')).length === 1);
    expect(await countOf('a.work', 'dead')).toBe(1);
    expect(await world.deadMessages('a.work')).toMatchObject([{ reason: 'no such account', id: sent.envelope.id }]);
    verdict = 'ack';
    expect(await bus.redrive('a.work', 10)).toBe(1);
    await until(() => got.length === 2);
    expect(got[1]).toMatchObject({ attempt: 1, routingKey: 'work.done.v1', envelope: sent.envelope });
    expect(await bus.redrive('a.work', 10)).toBe(0);
    await subscription.stop();
  });

  test('delivers again, as the same attempt, what a consumer that is gone had in hand', async () => {
    const proxy = await createProxy();
    const doomed = await anotherBus({ proxy });
    let hasStarted = false;
    await doomed.subscribe(
      'a.crash',
      () => {
        hasStarted = true;
        return new Promise((resolve) => setTimeout(resolve, 1000));
      },
      { prefetch: 1 },
    );
    await bus.publish([message('crash.now.v1')]);
    await until(() => hasStarted);
    proxy.cut();
    const { got, stop } = await collect('a.crash');
    await until(() => got.length === 1, { timeoutMs: world.crashRedeliveryMs });
    expect(got[0]).toMatchObject({ attempt: 1, redelivered: true });
    await stop();
  });

  test('stops a message that crashes its consumers once the delivery limit is passed', async () => {
    let deliveries = 0;
    await bus.publish([message('crash.now.v1')]);
    for (let crash = 1; crash <= 3; crash += 1) {
      const proxy = await createProxy();
      const doomed = await anotherBus({ proxy });
      const before = deliveries;
      await doomed.subscribe(
        'a.crash',
        () =>
          new Promise((resolve) => {
            deliveries += 1;
            proxy.cut();
            setTimeout(resolve, 500);
          }),
        { prefetch: 1 },
      );
      await until(() => deliveries === before + 1, { timeoutMs: world.crashRedeliveryMs });
    }
    const { got, stop } = await collect('a.crash');
    await until(async () => (await world.deadMessages('a.crash')).length === 1, { timeoutMs: world.crashRedeliveryMs });
    expect(await world.deadMessages('a.crash')).toMatchObject([
      { reason: 'delivery_limit', routingKey: 'crash.now.v1' },
    ]);
    expect(deliveries).toBe(3);
    expect(got).toEqual([]);
    await stop();
    expect(await bus.redrive('a.crash', 1)).toBe(1);
    const revived = await collect('a.crash');
    await until(() => revived.got.length === 1);
    await revived.stop();
  }, 60_000);

  test('lets a stopping consumer finish what it has, and leaves the rest in the queue', async () => {
    const started: string[] = [];
    const finished: string[] = [];
    const gate = Promise.withResolvers<void>();
    const subscription = await bus.subscribe(
      'a.work',
      async ({ envelope }) => {
        started.push(envelope.id);
        await gate.promise;
        finished.push(envelope.id);
      },
      { prefetch: 2 },
    );
    await bus.publish(Array.from({ length: 5 }, () => message('work.done.v1')));
    await until(() => started.length === 2);
    const stopped = subscription.stop();
    gate.resolve();
    await stopped;
    expect(finished).toHaveLength(2);
    const rest = await collect('a.work');
    await until(() => rest.got.length === 3);
    expect(rest.got.map(({ envelope }) => envelope.id)).not.toContain(finished[0]);
    await rest.stop();
  });

  test('answers "unknown" in time when the bus goes silent, and resumes by itself', async () => {
    const proxy = await createProxy();
    const shaky = await anotherBus({ proxy });
    const { got } = await collect('a.work', shaky);
    expect(await shaky.publish([message('work.done.v1')])).toEqual([confirmed]);
    await until(() => got.length === 1);

    proxy.pause();
    const [silent] = await shaky.publish([message('work.done.v1')]);
    expect(silent?.status).toBe('unknown');
    proxy.cut();
    await until(() => !shaky.health().connected);
    const [away] = await shaky.publish([message('work.done.v1')]);
    expect(away?.status).toBe('unknown');

    proxy.restore();
    await until(() => shaky.health().connected);
    const sent = message('work.done.v1');
    expect(await shaky.publish([sent])).toEqual([confirmed]);
    await until(() => got.some(({ envelope }) => envelope.id === sent.envelope.id));
  });

  test('answers "unknown" when the confirm is lost', async () => {
    const proxy = await createProxy();
    const shaky = await anotherBus({ proxy });
    proxy.dropAnswers();
    const [outcome] = await shaky.publish([message('bulk.load.v1')]);
    expect(outcome?.status).toBe('unknown');
    proxy.cut();
    await until(async () => (await countOf('a.bulk', 'ready')) !== null);
    const { stop } = await collect('a.bulk');
    await until(async () => (await countOf('a.bulk', 'ready')) === 0);
    await stop();
  });

  test('starts while the bus is away, and works once it is there', async () => {
    const proxy = await createProxy();
    proxy.cut();
    const early = await anotherBus({ proxy });
    expect(early.health().connected).toBe(false);
    const { got } = await collect('a.work', early);
    proxy.restore();
    await until(() => early.health().connected);
    expect(await early.publish([message('work.done.v1')])).toEqual([confirmed]);
    await until(() => got.length === 1);
  });

  test('confirms a batch of 2000 and shows its depth', async () => {
    const outcomes = await bus.publish(Array.from({ length: 2000 }, (_, n) => message('bulk.load.v1', { n })));
    expect(outcomes.every(({ status }) => status === 'confirmed')).toBe(true);
    await until(async () => (await countOf('a.bulk', 'ready')) === 2000);
    const { got, stop } = await collect('a.bulk', bus, 500);
    await until(() => got.length === 2000);
    await stop();
    expect(new Set(got.map(({ envelope }) => envelope.id)).size).toBe(2000);
  });

  test('brings a message to an idle handler within a tenth of a second', async () => {
    const latencies: number[] = [];
    const arrivals = new Map<string, number>();
    const subscription = await bus.subscribe(
      'a.work',
      async ({ envelope }) => void latencies.push(performance.now() - (arrivals.get(envelope.id) ?? 0)),
      { prefetch: 10 },
    );
    for (let n = 1; n <= 20; n += 1) {
      const sent = message('work.done.v1');
      arrivals.set(sent.envelope.id, performance.now());
      await bus.publish([sent]);
      await until(() => latencies.length === n, { everyMs: 1 });
    }
    const median = latencies.toSorted((a, b) => a - b)[10] ?? 0;
    expect(median).toBeLessThan(100);
    await subscription.stop();
  });

  test('carries a body of 256 KB', async () => {
    const { got, stop } = await collect('a.work');
    const sent = message('work.done.v1', { text: 'ü'.repeat(128 * 1024) });
    expect(await bus.publish([sent])).toEqual([confirmed]);
    await until(() => got.length === 1);
    expect(got[0]?.envelope.data).toEqual(sent.envelope.data);
    await stop();
  });

  test('keeps a body that is no envelope as dead, and goes on', async () => {
    const { got, stop } = await collect('a.work', bus, 1);
    await world.inject('a.work', { nothing: 'like an envelope' });
    await bus.publish([message('work.done.v1')]);
    await until(async () => (await world.deadMessages('a.work')).length === 1);
    expect((await world.deadMessages('a.work'))[0]?.reason).toContain('malformed');
    await until(() => got.length === 1);
    await stop();
  });

  test('refuses to start on a topology that is not its own', async () => {
    const strict = world.createBus({ assertTopology: false, topology: world.mismatched });
    buses.push(strict);
    await expect(strict.start()).rejects.toThrow('topology');
    await anotherBus({ assertTopology: false });
  });

  test('refuses a queue that is not declared', async () => {
    await expect(bus.subscribe('a.unheard-of', async () => undefined, { prefetch: 1 })).rejects.toThrow('not declared');
  });
}
