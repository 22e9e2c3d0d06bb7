import { readFile } from 'node:fs/promises';
import { ACCOUNT_CLOSED } from '@vuka/contracts/messages/identity';
import { RATES_UPDATED } from '@vuka/contracts/messages/rates';
import { SETTINGS_CHANGED } from '@vuka/contracts/messages/settings';
import { EXECUTE_TRANSFER, RETRY_TRANSFER } from '@vuka/contracts/messages/transfers';
import type { Topology } from '@vuka/contracts/topology';
import { EVENTS, topology } from '@vuka/contracts/topology';
import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { until } from '@vuka/test-kit/until';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDefinitions, hashPassword } from '#messaging/definitions.ts';
import type { MessageBus } from '#messaging/message-bus.ts';
import { createRabbitmqBus } from '#messaging/rabbitmq-bus.ts';
import { message } from './message-bus.suite.ts';

type Definitions = Record<string, { vhost?: string; name?: string; user?: string }[]>;
const COMMAND_TYPES: readonly string[] = [EXECUTE_TRANSFER, RETRY_TRANSFER];
const developmentPassword = (user: string) => `${user}-development`;

test('the committed definitions match the topology', async () => {
  const committed = await readFile(new URL('../../../infra/rabbitmq/definitions.json', import.meta.url), 'utf8');
  expect(JSON.parse(committed)).toEqual(buildDefinitions(topology, developmentPassword));
});

test('a password hash equals the one that RabbitMQ computes', () => {
  const hash = Buffer.from(hashPassword('wallet', 'secret'), 'base64');
  expect(hash).toHaveLength(36);
  expect(hashPassword('wallet', 'secret')).not.toBe(hashPassword('gateway', 'secret'));
});

describe('a broker that loaded the definitions', () => {
  let vhost: TestVhost;
  let buses: MessageBus[];
  const suffix = Math.random().toString(36).slice(2, 8);
  const userOf = (service: string) => `${service}-${suffix}`;

  beforeAll(async () => {
    buses = [];
    vhost = await createTestVhost('definitions');
    const definitions = buildDefinitions(topology, developmentPassword) as Definitions;
    const { users = [], permissions = [], topic_permissions: topics = [], ...objects } = definitions;
    for (const list of Object.values(objects).filter(Array.isArray))
      for (const one of list) if (one.vhost) one.vhost = vhost.name;
    const { vhosts: _vhosts, rabbit_version: _version, ...imported } = objects;
    await vhost.management('POST', '/api/definitions', {
      ...imported,
      users: users.map((user) => ({ ...user, name: userOf(user.name ?? '') })),
      permissions: permissions.map((one) => ({ ...one, user: userOf(one.user ?? ''), vhost: vhost.name })),
      topic_permissions: topics.map((one) => ({ ...one, user: userOf(one.user ?? ''), vhost: vhost.name })),
    });
  });

  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    for (const service of [...Object.keys(topology.services), 'operator']) {
      await vhost.management('DELETE', `/api/users/${userOf(service)}`);
    }
    await vhost.drop();
  });

  function managementUrlOf(service: string): string {
    const url = new URL(vhost.managementUrl);
    return Object.assign(url, { username: userOf(service), password: developmentPassword(service) }).toString();
  }

  function createServiceBus(service: string, declared: Topology = topology, managementUrl?: string): MessageBus {
    const url = new URL(vhost.amqpUrl);
    url.username = userOf(service);
    url.password = developmentPassword(service);
    const logger = pino({ level: 'silent' });
    const bus = createRabbitmqBus({
      url: url.toString(),
      service,
      topology: declared,
      logger,
      managementUrl,
      assertTopology: false,
    });
    buses.push(bus);
    return bus;
  }

  test.each(Object.keys(topology.services))('lets %s start without the right to configure', async (service) => {
    const bus = createServiceBus(service);
    await bus.start();
    expect(bus.health().connected).toBe(true);
  });

  test('lets a service publish where it has rights, and consume, retry and dead-letter its own messages', async () => {
    const transfers = createServiceBus('transfers');
    await transfers.start();
    const sent = message('transfer.execute.v1', {}, 'vuka.commands');
    expect(await transfers.publish([sent])).toEqual([{ status: 'confirmed' }]);
    const buried = Promise.withResolvers<void>();
    const subscription = await transfers.subscribe(
      'transfers.execution',
      async () => {
        buried.resolve();
        return { kind: 'dead', reason: 'as asked' };
      },
      { prefetch: 1 },
    );
    await buried.promise;
    await subscription.stop();
    expect(await transfers.redrive('transfers.execution', 1)).toBe(1);
  });

  test('shows unacknowledged counts and rates only to the service that handles dead letters', async () => {
    const [transfers, admin] = [
      createServiceBus('transfers'),
      createServiceBus('admin', topology, managementUrlOf('admin')),
    ];
    const [unreachable, refused] = ['http://a:b@127.0.0.1:1', managementUrlOf('wallet')].map((url) =>
      createServiceBus('wallet', topology, url),
    );
    const all = [transfers, admin, unreachable, refused].flatMap((bus) => bus ?? []);
    await Promise.all(all.map((bus) => bus.start()));
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const subscription = await transfers.subscribe(
      'transfers.execution',
      async ({ envelope }) => {
        if (!(envelope.data as { isHeld: boolean }).isHeld) return;
        isHeld.resolve();
        await held.promise;
      },
      { prefetch: 10 },
    );
    const publish = (data: object) => transfers.publish([message('transfer.execute.v1', data, 'vuka.commands')]);
    const figures = async (bus: MessageBus) => (await bus.stats()).find(({ queue }) => queue === 'transfers.execution');
    await publish({ isHeld: true });
    await isHeld.promise;
    try {
      await until(
        async () => {
          await publish({ isHeld: false });
          const { unacked, inPerSecond, outPerSecond } = (await figures(admin)) ?? {};
          return (unacked ?? 0) > 0 && (inPerSecond ?? 0) > 0 && (outPerSecond ?? 0) > 0;
        },
        { timeoutMs: 30_000, everyMs: 100, what: 'the management has counted' },
      );
      const unknown = { unacked: null, inPerSecond: null, outPerSecond: null, consumers: 1 };
      for (const bus of [unreachable, refused, transfers]) {
        expect(bus && (await figures(bus))).toMatchObject(unknown);
      }
    } finally {
      held.resolve();
      await subscription.stop();
    }
  }, 40_000);

  test('keeps a service from publishing where it has no rights', async () => {
    const wallet = createServiceBus('wallet');
    await wallet.start();
    const [outcome] = await wallet.publish([message('transfer.execute.v1', {}, 'vuka.commands')]);
    expect(outcome?.status).toBe('unknown');
  });

  test.each(Object.entries(topology.services).filter(([, { publishes }]) => publishes.includes(EVENTS)))(
    'lets %s publish its own types of events, and none of another service',
    async (service, { types = [] }) => {
      const foreign = [SETTINGS_CHANGED, ACCOUNT_CLOSED, RATES_UPDATED].find((type) => !types.includes(type)) ?? '';
      const own = types.filter((type) => !COMMAND_TYPES.includes(type));
      const [honest, taken] = [createServiceBus(service), createServiceBus(service)];
      await Promise.all([honest.start(), taken.start()]);
      const sent = await honest.publish(own.map((type) => message(type, {}, EVENTS)));
      expect([own.length > 0, new Set(sent.map(({ status }) => status))]).toEqual([true, new Set(['confirmed'])]);
      const [outcome] = await taken.publish([message(foreign, {}, EVENTS)]);
      expect([foreign, outcome?.status]).toEqual([foreign, 'unknown']);
    },
  );

  test('keeps a service from what is not in its rights', async () => {
    const greedy = { ...topology, services: { wallet: { publishes: [], consumes: ['transfers.execution'] } } };
    const declaring = createRabbitmqBus({
      url: Object.assign(new URL(vhost.amqpUrl), {
        username: userOf('wallet'),
        password: 'wallet-development',
      }).toString(),
      service: 'wallet',
      topology: greedy,
      logger: pino({ level: 'silent' }),
      assertTopology: true,
    });
    await expect(declaring.start()).rejects.toThrow('ACCESS_REFUSED');
  });
});
