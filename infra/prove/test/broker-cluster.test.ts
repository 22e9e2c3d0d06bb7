import { setTimeout as delay } from 'node:timers/promises';
import { findInstalledBroker } from '@vuka/test-kit/rabbitmq-node';
import { until } from '@vuka/test-kit/until';
import type { ConfirmChannel } from 'amqplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrokerCluster } from '#broker-cluster.ts';
import { withBroker } from '#queues.ts';
import { type BreakableBroker, startBroker } from '#servers.ts';

const QUEUE = 'kept';
const TEST_MS = 180_000;
const ANSWERED_MS = 3_000;
const isPossible = findInstalledBroker() !== undefined;
let broker: BreakableBroker;
let cluster: BrokerCluster;

beforeAll(async () => {
  if (!isPossible) return;
  broker = await startBroker({ hasPeers: true });
  cluster = broker.cluster as BrokerCluster;
  await cluster.untilWhole();
  await withChannel(broker.url, (channel) => channel.assertQueue(QUEUE, { arguments: { 'x-queue-type': 'quorum' } }));
}, TEST_MS);

afterAll(() => broker?.stop());

const withChannel = <Result>(url: string, use: (channel: ConfirmChannel) => Promise<Result>): Promise<Result> =>
  withBroker(url, async (connection) => {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    return use(channel);
  });

/** Resolves when the broker has confirmed the message. */
const publish = (url: string, text: string) =>
  withChannel(url, async (channel) => {
    channel.sendToQueue(QUEUE, Buffer.from(text), { persistent: true });
    await channel.waitForConfirms();
  });

/** A suspended node never answers. */
const untilPublished = (text: string) =>
  until(() => Promise.race([publish(broker.url, text).then(() => true), delay(ANSWERED_MS, false)]), {
    timeoutMs: 60_000,
    everyMs: 100,
    what: `"${text}" to be confirmed`,
  });

test.skipIf(!isPossible)(
  'what two nodes have confirmed is kept when the third one is lost',
  { timeout: TEST_MS },
  async () => {
    const leader = await cluster.leaderOf(QUEUE);
    await untilPublished('before');
    await leader.kill();
    await untilPublished('meanwhile');
    expect(await cluster.leaderOf(QUEUE)).not.toBe(leader);
    await leader.restart();
    await cluster.untilWhole();
    const count = await withChannel(broker.url, (channel) => channel.checkQueue(QUEUE));
    expect(count.messageCount).toBeGreaterThanOrEqual(2);
  },
);

test.skipIf(!isPossible)(
  'a node apart from the others confirms nothing, and joins them again',
  { timeout: TEST_MS },
  async () => {
    const leader = await cluster.leaderOf(QUEUE);
    for (const link of leader.links) link.cut();
    const alone = publish(leader.amqpUrl, 'alone').then(
      () => 'confirmed',
      () => 'refused',
    );
    expect(await Promise.race([alone, delay(2_000, 'waiting')])).not.toBe('confirmed');
    await untilPublished('by two');
    for (const link of leader.links) link.restore();
    await cluster.untilWhole();
    expect(cluster.nodes).toContain(await cluster.leaderOf(QUEUE));
  },
);

test.skipIf(!isPossible)('a node that was suspended is one of three again', { timeout: TEST_MS }, async () => {
  const leader = await cluster.leaderOf(QUEUE);
  leader.suspend();
  await untilPublished('while it is suspended');
  await delay(10_000);
  leader.resume();
  await cluster.untilWhole();
  await untilPublished('after it');
});
