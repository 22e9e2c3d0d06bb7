import type { QueueDeclaration, Topology } from '@vuka/contracts/topology';
import type { ConfirmChannel } from 'amqplib';
import type { Logger } from 'pino';
import { type AmqpLink, createAmqpLink } from '#messaging/amqp-link.ts';
import { type MessageBus, type QueueStats, TopologyMismatchError } from '#messaging/message-bus.ts';
import { startRabbitmqConsumer } from '#messaging/rabbitmq-consumer.ts';
import { deadLetters } from '#messaging/rabbitmq-dead-letters.ts';
import { packedExchanges, publishInFrames } from '#messaging/rabbitmq-frames.ts';
import { readManagementFigures } from '#messaging/rabbitmq-management.ts';
import { createRabbitmqPublisher } from '#messaging/rabbitmq-publisher.ts';
import { deadLetterQueueOf, expandTopology, namesOf, retryQueueOf } from '#messaging/rabbitmq-topology.ts';
import { queueOf } from '#messaging/routing.ts';
import { createSubscriptions } from '#messaging/subscriptions.ts';

export interface RabbitmqBusOptions {
  url: string;
  /** The service that uses the bus: its rights in the topology, and its name in the broker's list of connections. */
  service: string;
  topology: Topology;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Declares everything; otherwise only checks what the service uses, which needs no right to configure. */
  assertTopology: boolean;
  /** The broker's management API, with user and password; without it, rates and unacknowledged counts are unknown. */
  managementUrl?: string | undefined;
  /** How long a publish waits for the broker's confirm, in milliseconds. */
  publishTimeoutMs?: number;
  /** How long a handler may wait with a message, in milliseconds. */
  holdMs?: number;
}

/** Builds the RabbitMQ adapter. It supports 3.10 and 4.x, with quorum queues only. */
export function createRabbitmqBus(options: RabbitmqBusOptions): MessageBus {
  const { url, service, topology, logger, publishTimeoutMs = 10_000 } = options;
  let link: AmqpLink | undefined;
  const publisher = createRabbitmqPublisher(() => link, publishTimeoutMs);
  const packed = packedExchanges(topology);
  const subscriptions = createSubscriptions();

  return {
    async start() {
      link = createAmqpLink({
        url,
        name: `${service} publish`,
        logger,
        async setup(channel) {
          publisher.attach(channel);
          await (options.assertTopology ? assertAll(channel, topology) : checkOwn(channel, options));
        },
      });
      await link.firstAttempt.catch(async (error: unknown) => {
        await link?.close();
        link = undefined;
        throw error;
      });
    },
    publish: (batch) => publishInFrames(publisher, batch, packed),
    async subscribe(queue, handler, { prefetch }) {
      const declared = queueOf(topology, queue);
      const name = `${service} consume ${queue}`;
      const consumer = await startRabbitmqConsumer({
        url,
        name,
        logger,
        publisher,
        queue: declared,
        handler,
        prefetch,
        holdMs: options.holdMs,
      });
      return subscriptions.add(consumer);
    },
    async stats() {
      if (!link?.channel()) return topology.queues.map(({ name }) => ({ ...UNKNOWN_STATS, queue: name }));
      const vhost = decodeURIComponent(new URL(url).pathname.slice(1)) || '/';
      const [stats, figures] = await Promise.all([
        readStats(link, topology),
        options.managementUrl ? readManagementFigures(options.managementUrl, vhost) : undefined,
      ]);
      return stats.map((queue) => ({ ...queue, ...figures?.get(queue.queue) }));
    },
    ...deadLetters({ link: () => link, publisher, topology }),
    health: () => ({ connected: link?.channel() !== undefined, blocked: link?.isBlocked() ?? false }),
    async close() {
      await subscriptions.stopAll();
      await link?.close();
      link = undefined;
    },
  };
}

const MISMATCH_CODES = [403, 404, 406];

async function assertAll(channel: ConfirmChannel, topology: Topology): Promise<void> {
  const { exchanges, queues, bindings } = expandTopology(topology);
  await explainMismatch(async () => {
    for (const exchange of exchanges) await channel.assertExchange(exchange.name, exchange.type, exchange);
    for (const queue of queues) await channel.assertQueue(queue.name, { arguments: queue.arguments });
    for (const binding of bindings) await channel.bindQueue(binding.destination, binding.source, binding.routingKey);
  });
}

async function checkOwn(channel: ConfirmChannel, { topology, service }: RabbitmqBusOptions): Promise<void> {
  const rights = topology.services[service];
  if (!rights) throw new TopologyMismatchError(`The topology names no service ${service}`);
  const { exchanges, queues } = namesOf(topology, rights);
  await explainMismatch(async () => {
    for (const exchange of exchanges) await channel.checkExchange(exchange);
    for (const queue of queues) await channel.checkQueue(queue);
  });
}

async function explainMismatch(declare: () => Promise<void>): Promise<void> {
  try {
    await declare();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (!MISMATCH_CODES.includes(Number(code))) throw error;
    throw new TopologyMismatchError(`The broker's topology does not match ours: ${message}`, { cause: error });
  }
}

const UNKNOWN_STATS = {
  ready: null,
  delayed: null,
  unacked: null,
  dead: null,
  consumers: null,
  oldestAgeMs: null,
  inPerSecond: null,
  outPerSecond: null,
};

async function readStats(link: AmqpLink, topology: Topology): Promise<QueueStats[]> {
  return Promise.all(topology.queues.map((queue) => readQueueStats(link, queue)));
}

async function readQueueStats(link: AmqpLink, queue: QueueDeclaration): Promise<QueueStats> {
  const main = await countMessages(link, queue.name);
  if (queue.maxLength !== undefined) {
    return { ...UNKNOWN_STATS, queue: queue.name, ready: main?.messages ?? null, consumers: main?.consumers ?? null };
  }
  const ladder = [...new Set(queue.retryDelaysMs)].map((delayMs) =>
    countMessages(link, retryQueueOf(queue.name, delayMs)),
  );
  const delayed = await Promise.all(ladder);
  const dead = await countMessages(link, deadLetterQueueOf(queue.name));
  return {
    ...UNKNOWN_STATS,
    queue: queue.name,
    ready: main?.messages ?? null,
    consumers: main?.consumers ?? null,
    delayed: delayed.includes(undefined) ? null : delayed.reduce((sum, count) => sum + (count?.messages ?? 0), 0),
    dead: dead?.messages ?? null,
  };
}

/** On a separate channel, since a missing or mismatched queue kills the channel that asks. */
async function countMessages(
  link: AmqpLink,
  queue: string,
): Promise<{ messages: number; consumers: number } | undefined> {
  try {
    const channel = await link.openChannel();
    const { messageCount, consumerCount } = await channel.checkQueue(queue);
    await channel.close();
    return { messages: messageCount, consumers: consumerCount };
  } catch {
    return undefined;
  }
}
