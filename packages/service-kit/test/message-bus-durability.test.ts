import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { findInstalledBroker, startBrokerNode } from '@vuka/test-kit/rabbitmq-node';
import { until } from '@vuka/test-kit/until';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createEmbeddedBus } from '#messaging/embedded-bus.ts';
import type { MessageBus } from '#messaging/message-bus.ts';
import { createRabbitmqBus } from '#messaging/rabbitmq-bus.ts';
import { contractTopology, message } from './message-bus.suite.ts';

const logger = pino({ level: 'silent' });
const bus = { service: 'a', topology: contractTopology, logger, assertTopology: true, publishTimeoutMs: 2000 };

/** Publishes until the bus is killed, and expects every confirmed message afterwards. */
async function expectNothingLost(subject: MessageBus, kill: () => Promise<void>, revive: () => Promise<void>) {
  const confirmed: string[] = [];
  let isKilled = false;
  const publishing = (async () => {
    // Not only while connected: a slow machine can lose a connection earlier, and the bus reconnects.
    while (!isKilled) {
      const batch = Array.from({ length: 50 }, () => message('bulk.load.v1'));
      const outcomes = await subject.publish(batch);
      confirmed.push(...batch.filter((_, n) => outcomes[n]?.status === 'confirmed').map(({ envelope }) => envelope.id));
      await nextTurn();
    }
  })();
  await until(() => confirmed.length >= 1000, { timeoutMs: 30_000 });
  await kill();
  isKilled = true;
  await publishing;
  await until(() => !subject.health().connected);
  await revive();
  await until(() => subject.health().connected, { timeoutMs: 30_000 });
  const arrived = new Set<string>();
  await subject.subscribe('a.bulk', async ({ envelope }) => void arrived.add(envelope.id), { prefetch: 500 });
  await until(() => confirmed.every((id) => arrived.has(id)), { timeoutMs: 30_000 });
  expect(confirmed.length).toBeGreaterThanOrEqual(1000);
}

test.skipIf(!findInstalledBroker())(
  'a confirmed message outlives kill -9 of RabbitMQ',
  async () => {
    const node = await startBrokerNode(findInstalledBroker() ?? '');
    const subject = createRabbitmqBus({ ...bus, url: node.amqpUrl });
    try {
      await subject.start();
      await expectNothingLost(subject, node.kill, node.restart);
    } finally {
      await subject.close();
      await node.stop();
    }
  },
  120_000,
);

test('a confirmed message outlives kill -9 of the embedded Postgres', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-durability-'));
  await chmod(dir, 0o755);
  const dataDir = join(dir, 'data');
  let postgres = await startEmbeddedPostgres({ dataDir });
  const subject = createEmbeddedBus({ ...bus, databaseUrl: postgres.url });
  try {
    await subject.start();
    const kill = async () => {
      const pidFile = await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8');
      process.kill(Number.parseInt(pidFile, 10), 'SIGKILL');
      await postgres.stop();
    };
    await expectNothingLost(subject, kill, async () => {
      postgres = await startEmbeddedPostgres({ dataDir, port: postgres.port });
    });
  } finally {
    await subject.close();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}, 120_000);
