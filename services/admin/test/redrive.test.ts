import type { Caller } from '@vuka/access/caller';
import { askAs } from '@vuka/access/testing/ask-as';
import { EVENTS } from '@vuka/contracts/topology';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { createBus } from '@vuka/service-kit/messaging/create-bus';
import { LONGEST_LOOK, type MessageBus } from '@vuka/service-kit/messaging/message-bus';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { createTestVhost } from '@vuka/test-kit/rabbitmq';
import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '#app.ts';
import { AUDIT_QUEUE, recordActions } from '#audit-trail/record-actions.ts';
import { advanceRedrives, pruneRedrives } from '#queues/redrive.ts';
import { type AdminService, createAdminService } from './harness.ts';

/** A bus whose connection is cut, as when the process that redrives is killed. */
interface BusWorld {
  options: { amqpUrl: string } | { busDatabaseUrl: string };
  proxy: TcpProxy;
  drop(): Promise<void>;
}

async function worldOf(address: string, usualPort: number) {
  const url = new URL(address);
  const proxy = await createTcpProxy({ host: url.hostname, port: Number(url.port || usualPort) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { proxy, url: url.toString() };
}
async function rabbitmq(): Promise<BusWorld> {
  const vhost = await createTestVhost('redrive');
  const { proxy, url } = await worldOf(vhost.amqpUrl, 5672);
  return { options: { amqpUrl: url }, proxy, drop: vhost.drop };
}
async function embedded(): Promise<BusWorld> {
  const server = await createTestDatabase('redrive_bus');
  const { proxy, url } = await worldOf(server.url, 5432);
  return { options: { busDatabaseUrl: url }, proxy, drop: server.drop };
}

describe.each([
  ['RabbitMQ', rabbitmq],
  ['the embedded bus', embedded],
])('on %s', (_name, createWorld) => {
  let service: AdminService;
  let world: BusWorld;
  let bus: MessageBus;
  let app: ReturnType<typeof buildApp>;
  beforeAll(async () => {
    [service, world] = await Promise.all([createAdminService(), createWorld()]);
    const { logger } = service.deps;
    bus = createBus({ ...world.options, service: 'admin', logger, assertTopology: true });
    await bus.start();
    app = buildApp({ ...service.deps, bus, checks: {} });
  });
  beforeEach(async () => {
    await service.db.deleteFrom('outbox').execute();
    await service.db.deleteFrom('redrives').execute();
    await until(async () => (await bus.redrive(AUDIT_QUEUE, 5_000)) === 0);
    await handle(
      async () => ({ kind: 'ack' }),
      async () => (await figures())?.ready === 0,
    );
  });
  afterAll(async () => {
    await app.close();
    await bus.close();
    await world.proxy.close();
    await Promise.all([world.drop(), service.stop()]);
  });

  const figures = async () => (await bus.stats()).find(({ queue }) => queue === AUDIT_QUEUE);

  async function handle(handler: Parameters<MessageBus['subscribe']>[1], isDone: () => Promise<boolean>) {
    const { stop } = await bus.subscribe(AUDIT_QUEUE, handler, { prefetch: 50 });
    await until(isDone, { timeoutMs: 30_000 });
    await stop();
  }

  /** Messages that were refused for the reason. Returns their ids. */
  async function bury(count: number, reason = 'a full disk'): Promise<string[]> {
    const before = (await figures())?.dead ?? 0;
    const sent = Array.from({ length: count }, (_, n) =>
      cloudEvent({ ...ACTION, data: { ...ACTION.data, action: `n.${n}` } }),
    );
    await bus.publish(
      sent.map((envelope) => ({ exchange: EVENTS, routingKey: envelope.type, envelope, requireRoute: true })),
    );
    await handle(
      async () => ({ kind: 'dead', reason }),
      async () => (await figures())?.dead === before + count,
    );
    return sent.map(({ id }) => id);
  }
  const ACTION = {
    source: '/test',
    type: 'admin.action-recorded.v1',
    data: {
      actor: { userId: '0190a000-0000-7000-8000-000000000001', adminId: 'ADM1', name: 'Zuri' },
      address: null,
      action: 'user.blocked',
      subject: { kind: 'user', id: 'one', label: null },
      reason: null,
      before: null,
      after: null,
      requestId: 'r',
      at: '2026-05-10T09:00:00.123Z',
    },
  };

  const send = (method: 'GET' | 'POST', url: string, payload?: object, caller: Caller = service.administrator()) =>
    askAs('gateway', { app, service: 'admin' }, { method, url, payload, caller });
  const PATH = `/internal/queues/${AUDIT_QUEUE}/dead`;
  const redrive = (order: object = {}) => send('POST', `${PATH}/redrive`, { reason: 'repaired', ...order });
  const matching = async (query = '') => (await send('GET', `${PATH}/matching?${query}`)).body.matching;
  const redrives = async () => (await send('GET', '/internal/redrives')).body.redrives;
  const advance = (over: MessageBus = bus) => advanceRedrives({ ...service.deps, bus: over });
  async function finish() {
    await until(
      async () => {
        await service.db.updateTable('redrives').set({ due_at: sql<Date>`now()` }).execute();
        await advance();
        return (await redrives())[0].endedAt !== null;
      },
      { timeoutMs: 30_000, everyMs: 1 },
    );
  }
  const trail = async () => (await service.actions()).map(({ action, after }) => [action, after.matching, after.moved]);

  test('500 dead messages are sent again, some at a time, and each is handled once', async () => {
    const ids = await bury(500);
    expect(await matching()).toBe(500);
    const { status, body } = await redrive();
    expect([status, body]).toMatchObject([200, { queue: AUDIT_QUEUE, matching: 500, moved: 0, perSecond: 20 }]);
    await advance();
    expect((await redrives())[0]).toMatchObject({ moved: 20, endedAt: null });
    expect((await figures())?.dead).toBe(480);
    expect(await redrive()).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    await finish();
    expect((await redrives())[0]).toMatchObject({ moved: 500, endedAt: expect.any(String) });
    const handled: string[] = [];
    await handle(
      async ({ envelope, attempt }) => void handled.push(`${envelope.id} ${attempt}`),
      async () => handled.length >= 500,
    );
    expect(handled.sort()).toEqual(ids.map((id) => `${id} 1`).sort());
    expect(await trail()).toEqual([
      ['dead-messages.redrive-started', 500, 0],
      ['dead-messages.redriven', 500, 500],
    ]);
    expect((await service.actions())[0]).toMatchObject({ reason: 'repaired', subject: { label: AUDIT_QUEUE } });
    await pruneRedrives(service.db);
    expect(await redrives()).toHaveLength(1);
    await service.db.updateTable('redrives').set({ ended_at: sql<Date>`now() - interval '31 days'` }).execute();
    await pruneRedrives(service.db);
    expect(await redrives()).toEqual([]);
  }, 60_000);

  test('a redrive goes on after it found nothing: another process may have been listing the messages', async () => {
    await bury(10);
    await redrive({ perSecond: 5 });
    await advance({ ...bus, redrive: async () => 0 });
    expect((await redrives())[0]).toMatchObject({ moved: 0, endedAt: null });
    // Not again at once.
    await advance();
    expect((await redrives())[0]).toMatchObject({ moved: 0 });
    await finish();
    expect((await redrives())[0]).toMatchObject({ moved: 10, endedAt: expect.any(String) });
    expect((await figures())?.dead).toBe(0);
  });

  test('a redrive whose messages were sent again one by one ends after several rounds', async () => {
    await bury(3);
    await redrive();
    expect(await bus.redrive(AUDIT_QUEUE, 3)).toBe(3);
    await advance();
    expect((await redrives())[0]).toMatchObject({ endedAt: null });
    await finish();
    expect((await redrives())[0]).toMatchObject({ moved: 0, endedAt: expect.any(String) });
  });

  test('a message that another process is listing is sent again all the same', async () => {
    const [id] = await bury(1);
    const hidden = { listDead: 2, settleDead: 2 };
    const shared: MessageBus = {
      ...bus,
      listDead: async (...order) => (hidden.listDead-- > 0 ? [] : bus.listDead(...order)),
      settleDead: async (...order) => (hidden.settleDead-- > 0 ? false : bus.settleDead(...order)),
    };
    const other = buildApp({ ...service.deps, bus: shared, checks: {} });
    const caller = service.administrator();
    const order = { method: 'POST' as const, payload: { reason: 'repaired' }, caller };
    const answer = (url: string) => askAs('gateway', { app: other, service: 'admin' }, { ...order, url });
    expect((await answer(`${PATH}/${id}/requeue`)).status).toBe(200);
    expect((await figures())?.dead).toBe(0);
    expect((await answer(`${PATH}/${id}/requeue`)).status).toBe(404);
    await other.close();
  });

  test('a process that was suspended while another one ended the redrive does not begin it again', async () => {
    await bury(30);
    await redrive({ perSecond: 20 });
    let isFirst = true;
    const suspended: MessageBus = {
      ...bus,
      async redrive(queue, max, matches) {
        if (isFirst) {
          isFirst = false;
          await finish();
        }
        return bus.redrive(queue, max, matches);
      },
    };
    await advance(suspended);
    expect((await redrives())[0]).toMatchObject({ moved: 30, endedAt: expect.any(String) });
    expect((await trail()).map(([action]) => action)).toEqual([
      'dead-messages.redrive-started',
      'dead-messages.redriven',
    ]);
  }, 60_000);

  test('a process that is killed while it moves messages loses none and has none handled twice', async () => {
    const ids = await bury(60);
    await redrive({ perSecond: 50 });
    let seen = 0;
    const cutHalfWay: MessageBus = {
      ...bus,
      redrive: (queue, max, matches = () => true) =>
        bus.redrive(queue, max, (message) => {
          seen += 1;
          if (seen === 30) world.proxy.cut();
          return matches(message);
        }),
    };
    await advance(cutHalfWay);
    expect(seen).toBeGreaterThanOrEqual(30);
    world.proxy.restore();
    await until(() => bus.health().connected, { timeoutMs: 15_000 });
    await finish();
    // What the cut left unconfirmed may have been moved already, and is then in the queue twice: the inbox tells.
    const entries = async () =>
      (await service.db.selectFrom('audit_trail').select('id').where('id', 'in', ids).execute()).map(({ id }) => id);
    await handle(
      (delivery) => recordActions({ db: service.db, onRecorded: () => undefined }, delivery),
      async () => (await entries()).length === 60 && (await figures())?.ready === 0,
    );
    expect((await entries()).sort()).toEqual(ids.sort());
    expect((await figures())?.dead).toBe(0);
  }, 60_000);

  test('only the messages that match are counted and moved, by type, reason and age', async () => {
    await bury(3, 'Error: a full DISK');
    await bury(2, 'no such account');
    expect(await matching('diedOf=full%20disk')).toBe(3);
    expect(await matching('type=admin.action-recorded.v1')).toBe(5);
    expect(await matching('type=another')).toBe(0);
    expect(await matching('olderThanMinutes=1')).toBe(0);
    service.clock.set(new Date(Date.now() + 120_000));
    expect(await matching('olderThanMinutes=1')).toBe(5);
    service.clock.set(new Date());
    await redrive({ diedOf: 'full disk' });
    await finish();
    expect((await redrives())[0]).toMatchObject({ matching: 3, moved: 3 });
    expect((await bus.listDead(AUDIT_QUEUE, 10)).map(({ reason }) => reason)).toEqual(Array(2).fill('no such account'));
  });

  test('a message that dies again is not sent again by the same redrive', async () => {
    await bury(4);
    await redrive({ perSecond: 3 });
    await advance();
    const before = (await figures())?.dead ?? 0;
    await handle(
      async () => ({ kind: 'dead', reason: 'still broken' }),
      async () => (await figures())?.dead === before + 3,
    );
    await finish();
    expect((await redrives())[0]).toMatchObject({ matching: 4, moved: 4 });
    expect((await figures())?.dead).toBe(3);
  });

  test.each([
    { olderThanMinutes: -1 },
    { perSecond: 0 },
    { perSecond: 501 },
    { reason: ' ' },
    { type: 'x'.repeat(201) },
  ])('is refused with %j', async (order) => {
    expect((await redrive(order)).status).toBe(400);
  });

  test('is refused to merchants and strangers, and needs a PIN', async () => {
    const merchant = { ...service.administrator(), isAdmin: false, adminId: null };
    const order = { reason: 'r' };
    expect((await send('POST', `${PATH}/redrive`, order, merchant)).status).toBe(403);
    expect((await send('GET', '/internal/redrives', undefined, merchant)).status).toBe(403);
    const unproven = { ...service.administrator(), pinVerified: false };
    expect((await send('POST', `${PATH}/redrive`, order, unproven)).status).toBe(401);
    expect((await send('POST', '/internal/queues/vuka.unrouted/dead/redrive', order)).status).toBe(404);
  });
});

test('dead messages are found by reason and by content, and not by what is masked', async () => {
  const service = await createAdminService();
  const dead = (id: string, reason: string, body: object) => ({
    ...{ id, type: 'transfer.settled.v1', routingKey: '', reason, attempts: 1, diedAt: new Date(), body },
  });
  const listDead = async (_: string, limit: number, matches: (message: object) => boolean) =>
    [
      dead('1', 'permission denied', { transferId: 'one', pin: '1357' }),
      dead('2', 'no such account', { transferId: 'two', pin: '2468' }),
      dead('3', 'Permission denied', { transferId: 'three' }),
    ]
      .filter(matches)
      .slice(0, limit);
  const app = buildApp({ ...service.deps, bus: { listDead } as unknown as MessageBus, checks: {} });
  const find = async (query: string) => {
    const url = `/internal/queues/${AUDIT_QUEUE}/dead?${query}`;
    const ask = { method: 'GET' as const, url, caller: service.administrator() };
    const { body } = await askAs('gateway', { app, service: 'admin' }, ask);
    return body.messages.map(({ id }: { id: string }) => id);
  };
  expect(await find('limit=1')).toEqual(['1']);
  expect(await find('diedOf=permission')).toEqual(['1', '3']);
  expect(await find('diedOf=permission&limit=1')).toEqual(['1']);
  expect(await find('contains=two')).toEqual(['2']);
  expect(await find('contains=1357')).toEqual([]);
  expect(await find('type=other')).toEqual([]);
  expect(await find('olderThanMinutes=1')).toEqual([]);
  await app.close();
  await service.stop();
});

test('every dead message that a search shows can be requeued and dropped, also the last', async () => {
  const service = await createAdminService();
  const dead = Array.from({ length: LONGEST_LOOK }, (_, place) => ({
    ...{ id: `${place + 1}`, type: 'transfer.settled.v1', routingKey: '', attempts: 1, diedAt: new Date(), body: {} },
    reason: place + 1 === LONGEST_LOOK ? 'permission denied' : 'no such account',
  }));
  const moved: string[][] = [];
  const bus = {
    listDead: async (_: string, limit: number, matches: (message: object) => boolean) =>
      dead.filter(matches).slice(0, limit),
    settleDead: async (_: string, id: string, to: string) => moved.push([id, to]) > 0,
  };
  const app = buildApp({ ...service.deps, bus: bus as unknown as MessageBus, checks: {} });
  const ask = (method: 'GET' | 'POST', path: string, payload?: object) => {
    const url = `/internal/queues/${AUDIT_QUEUE}/dead${path}`;
    return askAs('gateway', { app, service: 'admin' }, { method, url, payload, caller: service.administrator() });
  };
  const [shown] = (await ask('GET', '?diedOf=permission')).body.messages;
  for (const to of ['requeue', 'drop']) {
    expect((await ask('POST', `/${shown.id}/${to}`, { reason: 'the right is back' })).status).toBe(200);
  }
  expect(moved).toEqual([
    ['5000', 'requeue'],
    ['5000', 'drop'],
  ]);
  await app.close();
  await service.stop();
});

test('secrets are masked in dead bodies that are no envelope, or not even JSON', async () => {
  const service = await createAdminService();
  const bodies = ['[{"id":1,"pin":"1357"}', 'pin=1357&n=1', { request: '{"pin":"1357"}' }, '[{"token":"1357"}]'];
  const listDead = async () =>
    bodies.map((body, n) => ({
      id: `${n}`,
      type: null,
      routingKey: '',
      reason: 'malformed',
      attempts: 1,
      diedAt: null,
      body,
    }));
  const app = buildApp({ ...service.deps, bus: { listDead } as unknown as MessageBus, checks: {} });
  const ask = { method: 'GET' as const, url: `/internal/queues/${AUDIT_QUEUE}/dead`, caller: service.administrator() };
  const { status, body } = await askAs('gateway', { app, service: 'admin' }, ask);
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toContain('1357');
  await app.close();
  await service.stop();
});
