import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type EventNames, writeEventNames } from './cloud-event.ts';
import { createDatabase, type Database } from './database.ts';
import { type InboxSchema, pruneInbox } from './inbox.ts';
import { runService, type Step } from './lifecycle.ts';
import { createLogger, type Logger } from './logger.ts';
import { createBus } from './messaging/create-bus.ts';
import { createOutageHold } from './messaging/hold-during-outage.ts';
import type { MessageBus, MessageHandler, Subscription } from './messaging/message-bus.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { migrateDatabase } from './migrate.ts';
import type { OutboxSchema } from './outbox.ts';
import { createOutboxRelay, type OutboxRelay } from './outbox-relay.ts';
import { type Part, pollingPart } from './poll.ts';
import { createServiceTokens, type ServiceTokens } from './service-tokens.ts';
import { traced, tracingPart } from './tracing.ts';

export interface ServiceSettings {
  LOG_LEVEL: string;
  VUKA_SERVICE_KEY: Buffer;
  VUKA_SERVICE_PUBLIC_KEYS: ReadonlyMap<string, readonly string[]>;
  DATABASE_URL: string;
  AMQP_URL?: string | undefined;
  /** Only for the service that shows queue figures. */
  AMQP_MANAGEMENT_URL?: string | undefined;
  BUS_DATABASE_URL?: string | undefined;
  VUKA_ASSERT_TOPOLOGY: boolean;
  VUKA_EVENT_NAMES: EventNames;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_TRACES_SAMPLER_ARG: number;
}

export interface ServiceOptions {
  name: string;
  /** The name of this process in logs and traces, if the service has several. */
  process?: string;
  settings: ServiceSettings;
  migrations: Record<string, Migration>;
  poolSize?: number;
  /** Every statement has an index to use (see `createDatabase`). */
  indexScansOnly?: boolean;
  /** The service consumes queues, so its inbox is pruned. */
  hasInbox?: boolean;
}

/** The foundation of every service: logger, tokens, metrics, its database with the outbox's relay, and the bus. */
export interface Service<Schema> {
  logger: Logger;
  tokens: ServiceTokens;
  metrics: Metrics;
  database: Database<Schema>;
  db: Kysely<Schema>;
  bus: MessageBus;
  /** Publishes the messages that a commit left in the outbox. */
  kickRelay: () => void;
  /** The same for a pack that is still in memory (see `OutboxRelay`). */
  publishCommitted: OutboxRelay['publishCommitted'];
  /** Resolves once every part of the process has started. */
  running: Promise<void>;
  /** Read by `/health/ready`. */
  checks: Record<string, () => boolean | Promise<boolean>>;
  /** Runs the process: `first` starts at once, `whenReady` once the database is migrated and the bus connected. */
  run(parts: { first: Part[]; whenReady?: Part[] }): void;
}

/** Builds a service's foundation. Nothing is connected until `run`. */
export function createService<Schema extends OutboxSchema>(options: ServiceOptions): Service<Schema> {
  const { name, settings, migrations } = options;
  writeEventNames(settings.VUKA_EVENT_NAMES);
  const { process = name } = options;
  const logger = createLogger({ service: process, level: settings.LOG_LEVEL });
  const metrics = createMetrics(name);
  const database = createDatabase<Schema>({
    url: settings.DATABASE_URL,
    service: name,
    logger,
    poolSize: options.poolSize ?? 8,
    indexScansOnly: options.indexScansOnly ?? false,
  });
  const bus = createBus({
    service: name,
    logger,
    assertTopology: settings.VUKA_ASSERT_TOPOLOGY,
    ...(settings.AMQP_URL ? { amqpUrl: settings.AMQP_URL } : {}),
    managementUrl: settings.AMQP_MANAGEMENT_URL,
    ...(settings.BUS_DATABASE_URL ? { busDatabaseUrl: settings.BUS_DATABASE_URL } : {}),
  });
  const relay = createOutboxRelay<Schema>({ db: database.db, bus, logger });
  // Read before the gauges that query the database themselves.
  metrics.gauge('vuka_database_waiting', 'Statements that wait for a connection', () => database.pool.waitingCount);
  metrics.gauge('vuka_outbox_oldest_seconds', 'Age of the oldest unpublished message', async () =>
    relay.oldestPendingMs().then(
      (ms) => ms / 1_000,
      () => Number.NaN,
    ),
  );
  let migrated = false;
  const running = Promise.withResolvers<void>();
  const parts = foundation({
    database,
    bus,
    relay,
    migrate: async () => {
      await migrateDatabase({ url: settings.DATABASE_URL, service: name, logger, migrations });
      migrated = true;
    },
  });
  return {
    logger,
    tokens: createServiceTokens({
      service: name,
      privateKey: settings.VUKA_SERVICE_KEY,
      publicKeys: settings.VUKA_SERVICE_PUBLIC_KEYS,
    }),
    metrics,
    database,
    db: database.db,
    bus,
    kickRelay: () => relay.kick(),
    publishCommitted: (pack) => relay.publishCommitted(pack),
    running: running.promise,
    checks: { database: async () => migrated && (await database.ping()), messages: () => bus.health().connected },
    run: ({ first, whenReady = [] }) => {
      const pruning = options.hasInbox ? [inboxPruning(database.db as unknown as Kysely<InboxSchema>, logger)] : [];
      const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = settings;
      const traces = tracingPart({ service: process, endpoint, share, logger });
      runService({ logger, parts: [traces, ...first, ...parts, ...pruning, ...whenReady], onRunning: running.resolve });
    },
  };
}

function foundation<Schema>(deps: {
  database: Database<Schema>;
  bus: MessageBus;
  relay: OutboxRelay;
  migrate: () => Promise<void>;
}): Step[] {
  const { database, bus, relay } = deps;
  return [
    [
      { name: 'database', start: deps.migrate, stop: () => database.close() },
      { name: 'messages', start: () => bus.start(), stop: () => bus.close() },
    ],
    { name: 'outbox relay', start: () => relay.start(), stop: () => relay.stop() },
  ];
}

function inboxPruning(db: Kysely<InboxSchema>, logger: Logger): Part {
  return pollingPart({
    name: 'inbox pruning',
    everyMs: 3_600_000,
    logger,
    run: async () => {
      await pruneInbox(db);
    },
  });
}

/** A queue consumer as a part of a process. Its messages are held while the service's database is unavailable. */
export function consumerPart<Schema>(
  { bus, database, logger }: Pick<Service<Schema>, 'bus' | 'database' | 'logger'>,
  queue: string,
  prefetch: number,
  handler: MessageHandler,
): Part {
  const outage = createOutageHold({ ping: () => database.ping(), logger: logger.child({ queue }) });
  let subscription: Subscription | undefined;
  return {
    name: `consumer of ${queue}`,
    async start() {
      subscription = await bus.subscribe(queue, outage.hold(asSpan(queue, handler)), { prefetch });
    },
    async stop() {
      await subscription?.stop();
    },
  };
}

function asSpan(queue: string, handler: MessageHandler): MessageHandler {
  return (delivery) => {
    const name = `handle ${delivery.routingKey}`;
    const attributes = { 'messaging.destination.name': queue };
    return traced(delivery.envelope.correlationid, { name, kind: 'consumer', attributes }, () => handler(delivery));
  };
}
