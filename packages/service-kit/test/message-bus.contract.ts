import { until } from '@vuka/test-kit/until';
import { expect, test } from 'vitest';
import type { Delivery } from '#messaging/message-bus.ts';
import { type BusSuite, message } from './message-bus.suite.ts';

const confirmed = { status: 'confirmed' };

/** The guarantees that a service has, on any bus. */
export function describeDelivery({ world, bus, anotherBus, collect, countOf }: BusSuite): void {
  test('delivers the envelope as it was published', async () => {
    const { got, stop } = await collect('a.work');
    const sent = message('work.done.v1', { text: 'Habari, Zürich 🦁', nested: { amount: '12.50' } });
    sent.envelope.traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    sent.envelope.correlationid = 'transfer-1';
    sent.envelope.sequence = 7;
    expect(await bus().publish([sent])).toEqual([confirmed]);
    await until(() => got.length === 1);
    expect(got[0]?.envelope).toEqual(sent.envelope);
    expect(got[0]).toMatchObject({ queue: 'a.work', routingKey: 'work.done.v1', attempt: 1, redelivered: false });
    await stop();
  });

  test('copies an event to every queue bound to it, by one-word and multi-word patterns', async () => {
    const one = await collect('a.orders');
    const many = await collect('a.everything');
    await bus().publish([
      message('order.placed.v1', {}, 't.events'),
      message('order.item.added.v1', {}, 't.events'),
      message('order', {}, 't.events'),
    ]);
    await until(() => one.got.length === 1 && many.got.length === 3);
    expect(one.got.map(({ routingKey }) => routingKey)).toEqual(['order.placed.v1']);
    await Promise.all([one.stop(), many.stop()]);
  });

  test('reports each message that no queue takes, in the order of the batch', async () => {
    const { got, stop } = await collect('a.work');
    const outcomes = await bus().publish([
      message('work.done.v1'),
      message('unrouted.message.v1'),
      message('work.done.v1'),
      { ...message('unrouted.message.v1'), requireRoute: false },
    ]);
    expect(outcomes).toEqual([confirmed, { status: 'unroutable' }, confirmed, confirmed]);
    await until(() => got.length === 2);
    await stop();
  });

  test('keeps an event without a subscriber in the alternate queue', async () => {
    expect(await bus().publish([message('unrouted.message.v1', {}, 't.events')])).toEqual([confirmed]);
    await until(async () => (await countOf('t.unrouted', 'ready')) === 1);
  });

  test('shares a queue between two consumers, each message once and within their prefetch', async () => {
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
      bus().subscribe('a.work', handler, { prefetch: 5 }),
      second.subscribe('a.work', handler, { prefetch: 5 }),
    ]);
    const batch = Array.from({ length: 300 }, () => message('work.done.v1'));
    await bus().publish(batch);
    await until(() => seen.length >= 300);
    await Promise.all(subscriptions.map((subscription) => subscription.stop()));
    expect(new Set(seen).size).toBe(300);
    expect(seen).toHaveLength(300);
    expect(mostInFlight).toBeLessThanOrEqual(10);
  });

  test('keeps the order for a single handler', async () => {
    const { got, stop } = await collect('a.work', bus(), 1);
    await bus().publish(Array.from({ length: 50 }, (_, n) => message('work.done.v1', { n })));
    await until(() => got.length === 50);
    expect(got.map(({ envelope }) => (envelope.data as { n: number }).n)).toEqual(
      Array.from({ length: 50 }, (_, n) => n),
    );
    await stop();
  });

  test('retries a message whose handler throws after each delay, and then dead-letters it', async () => {
    const attempts: { attempt: number; at: number; key: string }[] = [];
    const subscription = await bus().subscribe(
      'a.work',
      async ({ attempt, routingKey }) => {
        attempts.push({ attempt, at: Date.now(), key: routingKey });
        throw new Error('the provider is unavailable');
      },
      { prefetch: 5 },
    );
    const sent = message('work.done.v1');
    await bus().publish([sent]);
    await until(async () => (await world().deadMessages('a.work')).length === 1);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(attempts.every(({ key }) => key === 'work.done.v1')).toBe(true);
    const waits = attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0));
    expect(waits[0]).toBeGreaterThanOrEqual(195);
    expect(waits[1]).toBeGreaterThanOrEqual(395);
    expect(Math.max(...waits)).toBeLessThan(3000);
    const [dead] = await world().deadMessages('a.work');
    expect(dead).toMatchObject({ id: sent.envelope.id, routingKey: 'work.done.v1' });
    expect(dead?.reason).toContain('the provider is unavailable');
    await subscription.stop();
    expect(await bus().redrive('a.work', 10)).toBe(1);
    const { stop } = await collect('a.work');
    await until(async () => (await countOf('a.work', 'ready')) === 0);
    await stop();
  });

  test('dead-letters a message at once if its handler says so, and redrives it as a first attempt', async () => {
    let verdict: 'dead' | 'ack' = 'dead';
    const got: Delivery[] = [];
    const subscription = await bus().subscribe(
      'a.work',
      async (delivery) => {
        got.push(delivery);
        return { kind: verdict, reason: 'no such account' };
      },
      { prefetch: 5 },
    );
    const sent = message('work.done.v1');
    await bus().publish([sent]);
    await until(async () => (await world().deadMessages('a.work')).length === 1);
    expect(await countOf('a.work', 'dead')).toBe(1);
    expect(await world().deadMessages('a.work')).toMatchObject([{ reason: 'no such account', id: sent.envelope.id }]);
    verdict = 'ack';
    expect(await bus().redrive('a.work', 10)).toBe(1);
    await until(() => got.length === 2);
    expect(got[1]).toMatchObject({ attempt: 1, routingKey: 'work.done.v1', envelope: sent.envelope });
    expect(await bus().redrive('a.work', 10)).toBe(0);
    await subscription.stop();
  });

  test('lets a stopping consumer finish its messages, and leaves the rest in the queue', async () => {
    const started: string[] = [];
    const finished: string[] = [];
    const gate = Promise.withResolvers<void>();
    const subscription = await bus().subscribe(
      'a.work',
      async ({ envelope }) => {
        started.push(envelope.id);
        await gate.promise;
        finished.push(envelope.id);
      },
      { prefetch: 2 },
    );
    await bus().publish(Array.from({ length: 5 }, () => message('work.done.v1')));
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

  test('confirms a batch of 2000 and shows its depth', async () => {
    const outcomes = await bus().publish(Array.from({ length: 2000 }, (_, n) => message('bulk.load.v1', { n })));
    expect(outcomes.every(({ status }) => status === 'confirmed')).toBe(true);
    await until(async () => (await countOf('a.bulk', 'ready')) === 2000);
    const { got, stop } = await collect('a.bulk', bus(), 500);
    await until(() => got.length === 2000);
    await stop();
    expect(new Set(got.map(({ envelope }) => envelope.id)).size).toBe(2000);
  });

  test('brings a message to an idle handler within a tenth of a second', async () => {
    const latencies: number[] = [];
    const arrivals = new Map<string, number>();
    const subscription = await bus().subscribe(
      'a.work',
      async ({ envelope }) => void latencies.push(performance.now() - (arrivals.get(envelope.id) ?? 0)),
      { prefetch: 10 },
    );
    for (let n = 1; n <= 20; n += 1) {
      const sent = message('work.done.v1');
      arrivals.set(sent.envelope.id, performance.now());
      await bus().publish([sent]);
      await until(() => latencies.length === n, { everyMs: 1 });
    }
    const median = latencies.toSorted((a, b) => a - b)[10] ?? 0;
    expect(median).toBeLessThan(100);
    await subscription.stop();
  });

  test('carries a body of 256 KB', async () => {
    const { got, stop } = await collect('a.work');
    const sent = message('work.done.v1', { text: 'ü'.repeat(128 * 1024) });
    expect(await bus().publish([sent])).toEqual([confirmed]);
    await until(() => got.length === 1);
    expect(got[0]?.envelope.data).toEqual(sent.envelope.data);
    await stop();
  });
}
