import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type Database } from '#database.ts';
import { createOutageHold } from '#messaging/hold-during-outage.ts';
import type { Delivery } from '#messaging/message-bus.ts';
import { type BusSuite, message } from './message-bus.suite.ts';
import { BEGINS, ENDS, loggerTo } from './outage-log.ts';

interface Schema {
  done: { id: string };
}

/** What an outage of a consumer's own database does to its messages, on any bus and a real Postgres. */
export function describeOutages({ anotherBus, collect, countOf, bus }: BusSuite): void {
  let server: TestDatabase;
  let operator: Database<Schema>;
  let own: Database<Schema>;
  let proxy: TcpProxy;
  let deliveries: Delivery[];
  let lines: string[];
  let running: number;
  /** How many runs of messages that had failed before were in progress together. */
  let mostAtOnce: number;

  beforeAll(async () => {
    server = await createTestDatabase('outages');
    const silent = pino({ level: 'silent' });
    operator = createDatabase<Schema>({ url: server.url, service: 'operator', logger: silent });
    const target = new URL(server.url);
    proxy = await createTcpProxy({ host: target.hostname, port: Number(target.port || 5432) });
    target.host = `127.0.0.1:${proxy.port}`;
    own = createDatabase<Schema>({ url: target.toString(), service: 'consumer', logger: silent });
    await sql`create table done (id text not null)`.execute(operator.db);
    await sql`
      create function fill_disk() returns trigger language plpgsql as $$
      begin raise 'could not extend file' using errcode = tg_argv[0]; end $$`.execute(operator.db);
  });
  beforeEach(() => {
    [deliveries, lines, running, mostAtOnce] = [[], [], 0, 0];
  });
  afterEach(async () => {
    await end();
    await operator.db.deleteFrom('done').execute();
  });
  afterAll(async () => {
    await Promise.all([operator.close(), own.close()]);
    await proxy.close();
    await server.drop();
  });

  async function failWith(code: string): Promise<void> {
    await sql`create trigger full_disk before insert on done execute function fill_disk(${sql.lit(code)})`.execute(
      operator.db,
    );
  }
  async function end(): Promise<void> {
    proxy.restore();
    await sql`drop trigger if exists full_disk on done`.execute(operator.db);
  }

  const runsOf = (id: string) => deliveries.filter(({ envelope }) => envelope.id === id).length;

  async function record(delivery: Delivery): Promise<void> {
    const { id } = delivery.envelope;
    deliveries.push(delivery);
    if (runsOf(id) === 1) return write(id);
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await write(id).finally(() => {
      running -= 1;
    });
  }
  const write = async (id: string) => void (await own.db.insertInto('done').values({ id }).execute());
  const done = async () => (await operator.db.selectFrom('done').select('id').execute()).map(({ id }) => id).sort();
  const ids = () => [...new Set(deliveries.map(({ envelope }) => envelope.id))];
  const attempts = () => [...new Set(deliveries.map(({ attempt }) => attempt))];
  const send = async (count: number) => {
    const sent = Array.from({ length: count }, () => message('work.done.v1'));
    await bus().publish(sent);
    return sent.map(({ envelope }) => envelope.id).sort();
  };

  function hold() {
    const ping = () => own.ping();
    return createOutageHold({ logger: loggerTo(() => lines), everyMs: 5, ping }).hold(record);
  }

  describe.each([
    ['a full disk', () => failWith('53100')],
    ['too little memory', () => failWith('53200')],
    ['too many connections', () => failWith('53300')],
    ['a defective disk', () => failWith('58030')],
    ['a lost database', async () => proxy.cut()],
  ])('%s', (name, begin) => {
    test('holds as many messages as are prefetched, asks with one of them, and spends no attempt', async () => {
      await begin();
      const consumer = await (await anotherBus({ holdMs: 60_000 })).subscribe('a.work', hold(), { prefetch: 2 });
      const sent = await send(5);
      await until(() => ids().length === 2);
      const isLost = name === 'a lost database';
      await until(async () => (isLost ? !(await own.ping()) : deliveries.length > 20));
      expect(ids()).toHaveLength(2);
      expect([deliveries.length > 2, mostAtOnce]).toEqual(isLost ? [false, 0] : [true, 1]);
      await end();
      await until(async () => (await done()).length === 5);
      expect(await done()).toEqual(sent);
      expect(attempts()).toEqual([1]);
      expect(lines).toEqual([BEGINS, ENDS]);
      expect([await countOf('a.work', 'dead'), await countOf('a.work', 'delayed')]).toEqual([0, 0]);
      await consumer.stop();
    });
  });

  test('a limit that the statement exceeds is no outage', async () => {
    await failWith('53400');
    const { stop } = await bus().subscribe('a.work', hold(), { prefetch: 2 });
    await send(1);
    await until(async () => (await countOf('a.work', 'dead')) === 1);
    expect(attempts()).toEqual([1, 2, 3]);
    expect(lines).toEqual([]);
    await stop();
    for (const { id } of await bus().listDead('a.work', 10)) await bus().settleDead('a.work', id, 'drop');
  });

  test('a message that is held too long is put back as it is, any number of times, and counts as no crash', async () => {
    await failWith('53100');
    let isFirst = true;
    const holding = hold();
    const failsFirst = (delivery: Delivery) => {
      if (!isFirst) return holding(delivery);
      isFirst = false;
      throw new Error('a neighbour is unavailable');
    };
    const consumer = await (await anotherBus({ holdMs: 30 })).subscribe(
      'a.work',
      async (delivery) => failsFirst(delivery),
      {
        prefetch: 1,
      },
    );
    const sent = await send(1);
    // Each delivery has its own deadline, so this counts deliveries and not runs. The delivery limit is 2.
    const times = () => new Set(deliveries.map(({ waitUntilMs }) => waitUntilMs)).size;
    await until(() => times() > 5);
    expect(attempts()).toEqual([2]);
    await end();
    await until(async () => (await done()).length === 1);
    expect(await done()).toEqual(sent);
    expect(attempts()).toEqual([2]);
    await consumer.stop();
    expect(lines).toEqual([BEGINS, ENDS]);
    expect([await countOf('a.work', 'dead'), await countOf('a.work', 'ready')]).toEqual([0, 0]);
  });

  test('a process that stops puts its held messages back, and counts as no crash', async () => {
    await failWith('53100');
    const sent = await send(3);
    for (let start = 1; start <= 5; start += 1) {
      deliveries = [];
      const consumer = await (await anotherBus({ holdMs: 60_000 })).subscribe('a.work', hold(), { prefetch: 3 });
      await until(() => ids().length === 3);
      await consumer.stop();
      expect(attempts()).toEqual([1]);
    }
    await end();
    const { got, stop } = await collect('a.work');
    await until(() => got.length === 3);
    expect(got.map(({ envelope }) => envelope.id).sort()).toEqual(sent);
    expect(got.every(({ attempt, redelivered }) => attempt === 1 && redelivered)).toBe(true);
    await stop();
    expect(got).toHaveLength(3);
  });
}
