import type { Topology } from '@vuka/contracts/topology';
import type { Logger } from 'pino';
import { type StoredMessage, startEmbeddedConsumer } from '#messaging/embedded-consumer.ts';
import { embeddedDeadLetters } from '#messaging/embedded-dead-letters.ts';
import { createEmbeddedStore, deadQueueOf, type EmbeddedStore } from '#messaging/embedded-store.ts';
import type { MessageBus, OutgoingMessage, PublishOutcome, QueueStats } from '#messaging/message-bus.ts';
import { queueOf, routeMessage } from '#messaging/routing.ts';
import { createSubscriptions } from '#messaging/subscriptions.ts';

export interface EmbeddedBusOptions {
  /** A separate database that all services share for their messages. */
  databaseUrl: string;
  service: string;
  topology: Topology;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Creates the queues; otherwise only checks that they exist. */
  assertTopology: boolean;
  publishTimeoutMs?: number;
  /** How long until a message of a lost consumer is delivered again, in seconds. */
  leaseSeconds?: number;
  /** How long a handler may wait with a message, in milliseconds. */
  holdMs?: number;
}

/** Builds the adapter for runs without a broker: durable pg-boss queues in Postgres, routed here by the topology. */
export function createEmbeddedBus(options: EmbeddedBusOptions): MessageBus {
  const { topology, logger, publishTimeoutMs = 10_000, leaseSeconds = 15 } = options;
  const subscriptions = createSubscriptions();
  let store: EmbeddedStore | undefined;
  const started = () => {
    if (!store) throw new Error('The bus is not started');
    return store;
  };

  return {
    async start() {
      store = createEmbeddedStore({ ...options, leaseSeconds, timeoutMs: publishTimeoutMs });
      await store.firstAttempt.catch(async (error: unknown) => {
        await store?.close();
        store = undefined;
        throw error;
      });
    },
    publish: (batch) => publish(store, topology, batch),
    async subscribe(queue, handler, { prefetch }) {
      const declared = queueOf(topology, queue);
      const consumer = startEmbeddedConsumer({
        store: started(),
        queue: declared,
        handler,
        prefetch,
        leaseSeconds,
        holdMs: options.holdMs,
        logger,
      });
      return subscriptions.add(consumer);
    },
    stats: () => readStats(started(), topology),
    ...embeddedDeadLetters(started, topology),
    health: () => ({ connected: store?.isConnected() ?? false, blocked: false }),
    async close() {
      await subscriptions.stopAll();
      await store?.close();
      store = undefined;
    },
  };
}

/** One transaction for the whole batch: all routable messages are confirmed, or none. */
async function publish(
  store: EmbeddedStore | undefined,
  topology: Topology,
  batch: readonly OutgoingMessage[],
): Promise<PublishOutcome[]> {
  const jobs = new Map<string, { data: StoredMessage }[]>();
  const outcomes = batch.map(({ exchange, routingKey, envelope, requireRoute }): PublishOutcome => {
    try {
      const queues = routeMessage(topology, exchange, routingKey);
      const data = { envelope, key: routingKey, attempt: 1 };
      for (const queue of queues) {
        const waiting = jobs.get(queue) ?? [];
        jobs.set(queue, waiting);
        waiting.push({ data });
      }
      return queues.length === 0 && requireRoute ? { status: 'unroutable' } : { status: 'confirmed' };
    } catch (error) {
      return { status: 'nacked', error: (error as Error).message };
    }
  });
  if (jobs.size === 0) return outcomes;
  try {
    if (!store?.isConnected()) throw new Error('not connected to the bus database');
    const boss = store.boss();
    await store.transact(async (db) => {
      for (const [queue, messages] of jobs) await boss.insert(queue, messages, { db });
    }, jobs.keys());
    return outcomes;
  } catch (error) {
    const unknown: PublishOutcome = { status: 'unknown', error: (error as Error).message };
    return outcomes.map((outcome) => (outcome.status === 'confirmed' ? unknown : outcome));
  }
}

interface Counts {
  name: string;
  ready: number;
  delayed: number;
  unacked: number;
  oldest_age_ms: number | null;
}

async function readStats(store: EmbeddedStore, topology: Topology): Promise<QueueStats[]> {
  const rows = await store.query<Counts>(`
    select name,
      count(*) filter (where state < 'active' and start_after <= now())::int as ready,
      count(*) filter (where state < 'active' and start_after > now())::int as delayed,
      count(*) filter (where state = 'active')::int as unacked,
      (extract(epoch from now() - min(created_on) filter (where state < 'active' and start_after <= now())) * 1000)::float8
        as oldest_age_ms
    from pgboss.job where state <= 'active' group by name`);
  const countsOf = (name: string) => rows.find((row) => row.name === name);
  return topology.queues.map(({ name }) => {
    const counts = countsOf(name);
    return {
      queue: name,
      ready: counts?.ready ?? 0,
      delayed: counts?.delayed ?? 0,
      unacked: counts?.unacked ?? 0,
      dead: countsOf(deadQueueOf(name))?.ready ?? 0,
      consumers: null,
      oldestAgeMs: counts?.oldest_age_ms ?? null,
      inPerSecond: null,
      outPerSecond: null,
    };
  });
}
