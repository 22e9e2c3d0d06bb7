import { until } from '@vuka/test-kit/until';
import { expect, test } from 'vitest';
import { type BusSuite, message } from './message-bus.suite.ts';

const confirmed = { status: 'confirmed' };

/** The guarantees while consumers crash, networks fail and messages are malformed. */
export function describeFailures({ world, bus, anotherBus, createProxy, collect, countOf }: BusSuite): void {
  test('redelivers, as the same attempt, the messages of a lost consumer', async () => {
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
    await bus().publish([message('crash.now.v1')]);
    await until(() => hasStarted);
    proxy.cut();
    const { got, stop } = await collect('a.crash');
    await until(() => got.length === 1, { timeoutMs: world().crashRedeliveryMs });
    expect(got[0]).toMatchObject({ attempt: 1, redelivered: true });
    await stop();
  });

  test('dead-letters a message that crashes its consumers once the delivery limit is exceeded', async () => {
    let deliveries = 0;
    await bus().publish([message('crash.now.v1')]);
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
      await until(() => deliveries === before + 1, { timeoutMs: world().crashRedeliveryMs });
    }
    const { got, stop } = await collect('a.crash');
    await until(async () => (await world().deadMessages('a.crash')).length === 1, {
      timeoutMs: world().crashRedeliveryMs,
    });
    expect(await world().deadMessages('a.crash')).toMatchObject([
      { reason: 'delivery_limit', routingKey: 'crash.now.v1' },
    ]);
    expect(deliveries).toBe(3);
    expect(got).toEqual([]);
    await stop();
    expect(await bus().redrive('a.crash', 1)).toBe(1);
    const revived = await collect('a.crash');
    await until(() => revived.got.length === 1);
    await revived.stop();
  }, 60_000);

  test('answers "unknown" in time when the bus goes silent, and resumes without a restart', async () => {
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
    const [outcome] = await shaky.publish([message('work.done.v1')]);
    expect(outcome?.status).toBe('unknown');

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

  test('starts while the bus is unavailable, and works once it is available', async () => {
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

  test('dead-letters a body that is not an envelope, and continues', async () => {
    const { got, stop } = await collect('a.work', bus(), 1);
    await world().inject('a.work', { nothing: 'like an envelope' });
    await bus().publish([message('work.done.v1')]);
    await until(async () => (await world().deadMessages('a.work')).length === 1);
    expect((await world().deadMessages('a.work'))[0]?.reason).toContain('malformed');
    await until(() => got.length === 1);
    await stop();
  });

  test('refuses to start on a topology that does not match', async () => {
    const strict = world().createBus({ assertTopology: false, topology: world().mismatched });
    await expect(strict.start()).rejects.toThrow('topology');
    await anotherBus({ assertTopology: false });
  });

  test('refuses an undeclared queue', async () => {
    await expect(bus().subscribe('a.unheard-of', async () => undefined, { prefetch: 1 })).rejects.toThrow(
      'not declared',
    );
  });
}
