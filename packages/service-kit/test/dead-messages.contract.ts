import { until } from '@vuka/test-kit/until';
import { expect, test } from 'vitest';
import { type BusSuite, message } from './message-bus.suite.ts';

/** The guarantees that an operator has about dead messages, on any bus. */
export function describeDeadMessages({ world, bus, anotherBus, collect, countOf }: BusSuite): void {
  async function bury(count: number): Promise<string[]> {
    await empty();
    const { stop } = await bus().subscribe('a.work', async () => ({ kind: 'dead', reason: 'no such account' }), {
      prefetch: 1,
    });
    const sent = Array.from({ length: count }, (_, n) => message('work.done.v1', { n, pin: '1357' }));
    await bus().publish(sent);
    await until(async () => (await countOf('a.work', 'dead')) === count);
    await stop();
    return sent.map(({ envelope }) => envelope.id);
  }

  async function empty(): Promise<void> {
    for (const { id } of await bus().listDead('a.work', 100)) await bus().settleDead('a.work', id, 'drop');
    await until(async () => (await countOf('a.work', 'dead')) === 0);
  }

  test('lists dead messages, oldest first, any number of times, and leaves them where they are', async () => {
    const ids = await bury(3);
    const before = Date.now();
    for (let look = 0; look < 25; look += 1) expect(await bus().listDead('a.work', 2)).toHaveLength(2);
    const [first] = await bus().listDead('a.work', 10);
    expect(first).toMatchObject({
      id: ids[0],
      type: 'work.done.v1',
      routingKey: 'work.done.v1',
      reason: 'no such account',
      attempts: 1,
      body: { id: ids[0], data: { n: 0 } },
    });
    expect(Math.abs(before - (first?.diedAt?.getTime() ?? 0))).toBeLessThan(60_000);
    await until(async () => (await countOf('a.work', 'dead')) === 3);
  });

  test('lists and counts those that match, wherever they are in the queue', async () => {
    const ids = await bury(120);
    const isLate = ({ body }: { body: unknown }) => (body as { data: { n: number } }).data.n >= 110;
    expect((await bus().listDead('a.work', 3, isLate)).map(({ id }) => id)).toEqual(ids.slice(110, 113));
    expect(await bus().countDead('a.work', isLate)).toBe(10);
    expect(await bus().countDead('a.work', () => true)).toBe(120);
    expect(await bus().listDead('a.work', 3, () => false)).toEqual([]);
    // They are all still there. Dropping them one by one would take long.
    expect(await bus().redrive('a.work', 200)).toBe(120);
    const { got, stop } = await collect('a.work');
    await until(() => got.length === 120);
    await stop();
  });

  test('requeues one dead message as a first attempt, and leaves the others', async () => {
    const [first, second = '', third] = await bury(3);
    expect(await bus().settleDead('a.work', second, 'requeue')).toBe(true);
    expect(await bus().settleDead('a.work', second, 'requeue')).toBe(false);
    const { got, stop } = await collect('a.work');
    await until(() => got.length === 1);
    expect(got[0]).toMatchObject({ attempt: 1, routingKey: 'work.done.v1', envelope: { id: second } });
    await stop();
    expect((await bus().listDead('a.work', 10)).map(({ id }) => id).sort()).toEqual([first, third].sort());
  });

  test('drops one dead message, and reports one that does not exist', async () => {
    const [first = '', second] = await bury(2);
    expect(await bus().settleDead('a.work', first, 'drop')).toBe(true);
    expect(await bus().settleDead('a.work', first, 'drop')).toBe(false);
    expect((await bus().listDead('a.work', 10)).map(({ id }) => id)).toEqual([second]);
  });

  test('two concurrent requeues of the same message send it once', async () => {
    const [id = ''] = await bury(1);
    const other = await anotherBus();
    const outcomes = await Promise.all([bus(), other].map((one) => one.settleDead('a.work', id, 'requeue')));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    await until(async () => (await countOf('a.work', 'ready')) === 1);
    const { got, stop } = await collect('a.work');
    await until(() => got.length === 1);
    await stop();
    expect(await bus().listDead('a.work', 10)).toEqual([]);
  });

  test('a message that is not an envelope can be listed and dropped', async () => {
    await empty();
    await world().inject('a.work', { not: 'an envelope' });
    const { stop } = await collect('a.work');
    await until(async () => (await countOf('a.work', 'dead')) === 1);
    await stop();
    const [dead] = await bus().listDead('a.work', 10);
    expect(dead).toMatchObject({ type: null, reason: 'malformed envelope' });
    expect(await bus().settleDead('a.work', dead?.id ?? '', 'drop')).toBe(true);
    expect(await bus().listDead('a.work', 10)).toEqual([]);
  });

  test('redrives the dead messages that match, oldest first, up to a number, and leaves the others', async () => {
    const ids = await bury(6);
    const isEven = ({ body }: { body: unknown }) => (body as { data: { n: number } }).data.n % 2 === 0;
    expect(await bus().redrive('a.work', 2, isEven)).toBe(2);
    expect((await bus().listDead('a.work', 10)).map(({ id }) => id)).toEqual([1, 3, 4, 5].map((n) => ids[n]));
    expect(await bus().redrive('a.work', 2, isEven)).toBe(1);
    expect(await bus().redrive('a.work', 2, isEven)).toBe(0);
    const { got, stop } = await collect('a.work');
    await until(() => got.length === 3);
    expect(got.map(({ envelope }) => envelope.id).sort()).toEqual([0, 2, 4].map((n) => ids[n]).sort());
    expect(got.every(({ attempt }) => attempt === 1)).toBe(true);
    await stop();
    await empty();
  });
}
