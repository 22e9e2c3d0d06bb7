import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller } from '@vuka/access/caller';
import { askAs } from '@vuka/access/testing/ask-as';
import { testTokens } from '@vuka/access/testing/test-tokens';
import { EVENTS } from '@vuka/contracts/topology';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { createDatabase, type Database } from '@vuka/service-kit/database';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { readKeyring } from '@vuka/service-kit/keyring';
import { createLogger } from '@vuka/service-kit/logger';
import { createBus } from '@vuka/service-kit/messaging/create-bus';
import type { Delivery, MessageBus } from '@vuka/service-kit/messaging/message-bus';
import { createMetrics } from '@vuka/service-kit/metrics';
import { migrate } from '@vuka/service-kit/migrate';
import { listMessages } from '@vuka/service-kit/outbox';
import { createServiceClient, type ServiceClient } from '@vuka/service-kit/service-client';
import { adminCaller } from '@vuka/test-kit/callers';
import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '#app.ts';
import { ALERTED_ACTIONS, createActionCount } from '#audit-trail/count-actions.ts';
import { AUDIT_QUEUE, recordActions } from '#audit-trail/record-actions.ts';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { createSealedNotifications } from '#notifications/sealed-notifications.ts';

const logger = createLogger({ service: 'admin-test', level: 'silent' });
const tokens = testTokens('admin');
const sealed = createSealedNotifications(readKeyring('data-key-of-at-least-thirty-two-characters'));
const admin: Caller = { ...adminCaller, pinVerified: true };
const onRecorded = () => undefined;
const merchant: Caller = { ...admin, isAdmin: false, adminId: null };

let servers: TestDatabase[];
let database: Database<Schema>;
let bus: MessageBus;
let app: HttpApp;
let ledger: { server: Server; client: ServiceClient };
beforeAll(async () => {
  servers = await Promise.all([createTestDatabase('admin'), createTestDatabase('admin_bus')]);
  const [own, messages] = servers as [TestDatabase, TestDatabase];
  database = createDatabase<Schema>({ url: own.url, service: 'admin-test', logger });
  await migrate(database.db as never, migrations, logger);
  bus = createBus({ busDatabaseUrl: messages.url, service: 'admin', logger, assertTopology: true });
  await bus.start();
  ledger = await startLedger();
  const services = { identity: ledger.client, transfers: ledger.client, wallet: ledger.client };
  const deps = { db: database.db, tokens, logger, bus, now: () => new Date(), kickRelay: () => undefined };
  app = buildApp({ ...deps, ...services, sealed, roleNow: async () => 'owner', checks: {} });
});
afterAll(async () => {
  await app.close();
  await bus.close();
  await ledger.client.close();
  ledger.server.close();
  await database.close();
  await Promise.all(servers.map((server) => server.drop()));
});
beforeEach(() => database.db.deleteFrom('outbox').execute());

/** A fake transfers service that accepts any movement. */
async function startLedger() {
  const server = createServer((_request, response) => {
    response
      .writeHead(201, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: true, transactionId: randomUUID() }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, client: createServiceClient({ baseUrl, to: 'transfers', tokens }) };
}

const send = (method: 'GET' | 'POST', url: string, payload?: object, caller: Caller | null = admin) =>
  askAs('gateway', { app, service: 'admin' }, { method, url, payload, caller });

const written = async () => (await listMessages(database.db)).map(({ envelope }) => envelope);
const actions = async () => (await written()).filter(({ type }) => type === 'admin.action-recorded.v1');

/** Plays the bus: brings every recorded action to the trail. */
async function deliverActions(): Promise<void> {
  for (const envelope of await actions())
    await recordActions({ db: database.db, onRecorded }, { envelope } as Delivery);
}

const system = { systemName: 'Vuka', supportEmail: 'support@vuka.test', maxPinAttempts: 3, autoLogoutMinutes: 30 };
const search = async (query: string) => (await send('GET', `/internal/audit-trail?${query}`)).body;

describe('the audit trail', () => {
  test('has who changed a setting, from where, and the values before and after', async () => {
    await send('POST', '/internal/settings/system', { ...system, maxPinAttempts: 5 });
    await deliverActions();
    expect((await search('action=settings.system-changed')).entries[0]).toMatchObject({
      actor: { userId: admin.userId, adminId: 'ADM1', name: 'Wanjiru' },
      address: '192.0.2.7',
      subject: { kind: 'settings', id: 'system' },
      before: { maxPinAttempts: 3 },
      after: { maxPinAttempts: 5 },
      requestId: 'test-request',
    });
  });

  test('has ten concurrent changes as a chain: each starts where the previous one ended', async () => {
    const change = (minutes: number) =>
      send('POST', '/internal/settings/system', { ...system, autoLogoutMinutes: minutes });
    await Promise.all(Array.from({ length: 10 }, (_, index) => change(10 + index)));
    const steps = (await actions()).map(
      ({ data }) => data as Record<'before' | 'after', { autoLogoutMinutes: number }>,
    );
    for (const [index, { before }] of steps.slice(1).entries()) expect(before).toEqual(steps[index]?.after);
  });

  test('has a deposit once, however often its key is repeated, and nothing about a refused one', async () => {
    const deposit = { key: 'once-upon-a-time', amount: '500', currency: 'KES', reason: 'float' };
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', '/internal/deposits', deposit)));
    const { deposits } = (await send('GET', '/internal/deposits')).body;
    expect(deposits).toMatchObject([{ reference: answers[0]?.body.reference }]);
    expect(answers.map(({ body }) => body.transactionId)).toContain(deposits[0].transactionId);
    expect((await send('POST', '/internal/deposits', { ...deposit, amount: '501' })).status).toBe(409);
    expect((await actions()).map(({ data }) => data)).toMatchObject([
      { action: 'deposit.made', reason: 'float', after: { amount: '500.00', currency: 'KES' } },
    ]);
  });

  test('records a duplicate action once, and refuses a malformed one', async () => {
    await send('POST', '/internal/settings/notification', {
      emailNotifications: true,
      smsNotifications: false,
      loginAlerts: true,
      transactionAlerts: true,
    });
    const known = (await search('limit=200')).entries.length;
    await deliverActions();
    await deliverActions();
    expect((await search('limit=200')).entries).toHaveLength(known + 1);
    const envelope = cloudEvent({ source: '/test', type: 'admin.action-recorded.v1', data: { action: '' } });
    expect(await recordActions({ db: database.db, onRecorded }, { envelope } as Delivery)).toMatchObject({
      kind: 'dead',
    });
  });

  test('is counted by action, each entry once; alerted actions start at 0', async () => {
    const metrics = createMetrics('admin-test');
    const deps = { db: database.db, onRecorded: createActionCount(metrics) };
    const figure = async (action: string) =>
      new RegExp(`^vuka_admin_actions_total\\{action="${action}",service="admin-test"\\} (\\d+)$`, 'm').exec(
        await metrics.text(),
      )?.[1];
    for (const action of ALERTED_ACTIONS) expect([action, await figure(action)]).toEqual([action, '0']);
    await send('POST', '/internal/settings/system', { ...system, maxPinAttempts: 6 });
    const [envelope] = await actions();
    const unlocked = cloudEvent({
      source: '/vuka/identity',
      type: 'admin.action-recorded.v1',
      data: { ...(envelope?.data as object), action: 'user.unlocked' },
    });
    for (const delivered of [envelope, envelope, unlocked]) {
      await recordActions(deps, { envelope: delivered } as Delivery);
    }
    expect(await figure('settings.system-changed')).toBe('1');
    expect(await figure('user.unlocked')).toBe('1');
  });

  test('cannot be changed or emptied by any role, including its owner', async () => {
    const statements = [
      sql`update audit_trail set reason = 'x'`,
      sql`delete from audit_trail`,
      sql`truncate audit_trail`,
    ];
    for (const statement of statements) {
      await expect(statement.execute(database.db)).rejects.toMatchObject({ code: 'VK002' });
    }
  });

  test('is searched by actor, action, subject, day and text, in pages, with wildcards taken literally', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 0, day, 9));
    for (const day of [1, 2, 3]) {
      const data = {
        actor: { userId: admin.userId, adminId: 'ADM77', name: 'Zuri' },
        address: null,
        action: 'user.blocked',
        subject: { kind: 'user', id: `merchant-${day}`, label: '100%_sure' },
        reason: null,
        before: null,
        after: { isBlocked: true },
        requestId: 'r',
        at: at(day).toISOString(),
      };
      const envelope = cloudEvent({ source: '/vuka/identity', type: 'admin.action-recorded.v1', data }, at(day));
      await recordActions({ db: database.db, onRecorded }, { envelope } as Delivery);
    }
    const subjects = async (query: string) =>
      (await search(query)).entries.map((entry: { subject: { id: string } }) => entry.subject.id);
    expect(await subjects('actor=zuri')).toEqual(['merchant-3', 'merchant-2', 'merchant-1']);
    expect(await subjects('actor=ADM77&subject=merchant-2')).toEqual(['merchant-2']);
    expect(await subjects('q=100%25_s&action=user.blocked')).toHaveLength(3);
    expect(await subjects('q=100x')).toEqual([]);
    expect(await subjects('from=2026-01-02T00:00:00.000Z&before=2026-01-03T00:00:00.000Z')).toEqual(['merchant-2']);
    const first = await search('actor=ADM77&limit=2');
    expect(first.entries).toHaveLength(2);
    expect(await subjects(`actor=ADM77&limit=2&cursor=${first.nextCursor}`)).toEqual(['merchant-1']);
    expect((await send('GET', '/internal/audit-trail?limit=500')).status).toBe(400);
  });

  test('leaves the connections to other work, however many search it', async () => {
    const [isLocked, isAnswered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = database.db.transaction().execute(async (trx) => {
      await sql`lock table audit_trail`.execute(trx);
      isLocked.resolve();
      await isAnswered.promise;
    });
    await isLocked.promise;
    const searches = Array.from({ length: 12 }, () => send('GET', '/internal/audit-trail?q=x'));
    const { status } = await send('GET', '/internal/settings/system');
    isAnswered.resolve();
    await holding;
    expect(status).toBe(200);
    const statuses = (await Promise.all(searches)).map((answer) => answer.status);
    expect(statuses.sort()).toEqual([...Array(10).fill(200), 503, 503]);
  });
});

describe('dead messages', () => {
  async function bury(data: object): Promise<string> {
    const { stop } = await bus.subscribe(AUDIT_QUEUE, async () => ({ kind: 'dead', reason: 'as asked' }), {
      prefetch: 1,
    });
    const envelope = cloudEvent({ source: '/test', type: 'admin.action-recorded.v1', data });
    await bus.publish([{ exchange: EVENTS, routingKey: envelope.type, envelope, requireRoute: true }]);
    await until(async () => (await bus.listDead(AUDIT_QUEUE, 100)).some(({ id }) => id === envelope.id));
    await stop();
    return envelope.id;
  }
  const settle = (id: string, to: string, body: object = { reason: 'repaired' }, caller: Caller | null = admin) =>
    send('POST', `/internal/queues/${AUDIT_QUEUE}/dead/${id}/${to}`, body, caller);
  const dead = async () => (await send('GET', `/internal/queues/${AUDIT_QUEUE}/dead`)).body.messages;

  test('are shown with their reason, secrets masked, and counted by their queue', async () => {
    const id = await bury({ pin: '1357', amount: '5.00' });
    expect((await dead()).find((message: { id: string }) => message.id === id)).toMatchObject({
      reason: 'as asked',
      attempts: 1,
      body: { data: { pin: '***', amount: '5.00' } },
    });
    const { body } = await send('GET', '/internal/queues');
    expect(body.connected).toBe(true);
    expect(body.queues.find(({ name }: { name: string }) => name === AUDIT_QUEUE)).toMatchObject({
      dead: expect.any(Number),
      consumers: null,
      keepsDead: true,
    });
    expect(body.queues.find(({ name }: { name: string }) => name === 'vuka.unrouted')).toMatchObject({
      dead: null,
      keepsDead: false,
    });
  });

  test('are requeued or dropped, and the trail has the reason before they move', async () => {
    const [back, gone] = [await bury({ n: 1 }), await bury({ n: 2, token: 'abc' })];
    expect((await settle(back, 'requeue')).status).toBe(200);
    expect((await settle(back, 'requeue')).status).toBe(404);
    expect((await settle(gone, 'drop', { reason: 'a duplicate' })).status).toBe(200);
    expect((await dead()).map(({ id }: { id: string }) => id)).not.toEqual(expect.arrayContaining([back]));
    expect((await actions()).map(({ data }) => data)).toMatchObject([
      { action: 'dead-message.requeued', subject: { kind: 'queue', id: back, label: AUDIT_QUEUE }, reason: 'repaired' },
      { action: 'dead-message.dropped', reason: 'a duplicate', before: { body: { data: { n: 2, token: '***' } } } },
    ]);
  });

  test('a failed move is on the trail too', async () => {
    const id = await bury({ n: 3 });
    const failing = { ...bus, settleDead: () => Promise.reject(new Error('unavailable')) };
    const { settleDeadMessage } = await import('#queues/settle-dead-message.ts');
    const deps = { db: database.db, bus: failing, now: () => new Date(), kickRelay: () => undefined };
    const order = { caller: admin, queue: AUDIT_QUEUE, messageId: id, to: 'drop' as const, reason: 'r' };
    await expect(settleDeadMessage(deps, order)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await actions()).map(({ data }) => (data as { action: string }).action)).toEqual([
      'dead-message.dropped',
      'dead-message.not-moved',
    ]);
  });

  test.each([
    [{}, 'Reason is required'],
    [{ reason: '  ' }, 'Reason is required'],
    [{ reason: 'x'.repeat(501) }, 'Reason must be less than 500 characters'],
  ])('are not moved for the reason %j', async (body, error) => {
    expect(await settle(randomUUID(), 'drop', body)).toMatchObject({ status: 400, body: { error } });
  });

  test('are refused to merchants and strangers, and no other queue has any', async () => {
    for (const [caller, status] of [
      [merchant, 403],
      [null, 401],
    ] as const) {
      expect((await send('GET', '/internal/queues', undefined, caller)).status).toBe(status);
      expect((await send('GET', `/internal/queues/${AUDIT_QUEUE}/dead`, undefined, caller)).status).toBe(status);
      expect((await settle(randomUUID(), 'drop', { reason: 'r' }, caller)).status).toBe(status);
      expect((await send('GET', '/internal/audit-trail', undefined, caller)).status).toBe(status);
    }
    expect((await send('GET', '/internal/queues/no.such/dead')).status).toBe(404);
    expect((await send('GET', '/internal/queues/vuka.unrouted/dead')).status).toBe(404);
    expect((await settle(randomUUID(), 'explode')).status).toBe(400);
  });
});
