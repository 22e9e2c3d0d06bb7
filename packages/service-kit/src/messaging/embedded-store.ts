import { setTimeout as delay } from 'node:timers/promises';
import type { QueueDeclaration, Topology } from '@vuka/contracts/topology';
import pg from 'pg';
import type { Db, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { listenToChannel } from '#channel-listener.ts';
import { TopologyMismatchError } from '#messaging/message-bus.ts';

export interface EmbeddedStoreOptions {
  databaseUrl: string;
  service: string;
  topology: Topology;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  assertTopology: boolean;
  /** How long until a message of a lost consumer is delivered again, in seconds. */
  leaseSeconds: number;
  /** How long a statement may take, in milliseconds. */
  timeoutMs: number;
}

/** pg-boss on our own pool, with a listener that reports new messages. */
export interface EmbeddedStore {
  firstAttempt: Promise<void>;
  /** pg-boss, while the database is available. Throws otherwise. */
  boss(): PgBoss;
  isConnected(): boolean;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs pg-boss calls in one transaction, and wakes the consumers of the named queues. */
  transact<Result>(work: (db: Db) => Promise<Result>, wakes: Iterable<string>): Promise<Result>;
  /** Reports queues that have new messages; undefined means that any wake-up may have been missed. */
  onWake(listener: (queue: string | undefined) => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'vuka_bus';
const SCHEMA = 'pgboss';
const POOL_SIZE = 4;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5000;
const YEAR_SECONDS = 365 * 24 * 3600;
/** The shortest lease that pg-boss extends. */
const SHORTEST_EXTENDED_SECONDS = 10;

export function deadQueueOf(queue: string): string {
  return `${queue}.dlq`;
}

/** Whether consumers extend a lease while a handler runs; shorter leases simply expire, which only tests use. */
export function isExtended(leaseSeconds: number): boolean {
  return leaseSeconds >= SHORTEST_EXTENDED_SECONDS;
}

/** Connects at once, and reconnects whenever the connection is lost. */
export function createEmbeddedStore(options: EmbeddedStoreOptions): EmbeddedStore {
  const { databaseUrl, service, logger, timeoutMs } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: `${service} bus`,
    connectionTimeoutMillis: timeoutMs,
    max: POOL_SIZE,
    query_timeout: timeoutMs,
    keepAlive: true,
  });
  // The listener notices and logs it once. The pool does not listen to a client in use; its error would end the
  // process.
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  const listeners = new Set<(queue: string | undefined) => void>();
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined);
  const wake = (queue: string | undefined) => {
    for (const listener of listeners) listener(queue);
  };
  let boss: PgBoss | undefined;
  let isLost = false;

  const listener = listenToChannel({
    url: databaseUrl,
    applicationName: `${service} bus`,
    channel: CHANNEL,
    timeoutMs,
    async beforeListening() {
      boss ??= await startBoss(options, pool);
    },
    onListening() {
      if (isLost) logger.info('connected to the bus database again');
      isLost = false;
      first.resolve();
      wake(undefined);
    },
    onNotice: wake,
    onLost(error, losses) {
      if (losses === 0) logger.warn({ err: error }, 'lost the bus database, trying again');
      isLost = true;
      if (error instanceof TopologyMismatchError) first.reject(error);
      first.resolve();
      return Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(losses, 10), LONGEST_BACKOFF_MS);
    },
  });

  return {
    firstAttempt: first.promise,
    boss() {
      if (!boss) throw new Error('not connected to the bus database');
      return boss;
    },
    isConnected: () => listener.isListening(),
    query: async (text, values) => (await pool.query(text, values)).rows,
    transact: (work, wakes) => transact(pool, work, wakes),
    onWake(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      await listener.close();
      first.resolve();
      await stopBoss(boss);
      await Promise.race([pool.end(), delay(timeoutMs, undefined, { ref: false })]);
    },
  };
}

async function startBoss(options: EmbeddedStoreOptions, pool: pg.Pool): Promise<PgBoss> {
  // Loaded only here: with RabbitMQ no process needs it, and loading takes a tenth of a start.
  const { PgBoss } = await import('pg-boss');
  const { leaseSeconds, topology, logger } = options;
  const sweepSeconds = Math.max(1, Math.floor(leaseSeconds / 3));
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: SCHEMA,
    schedule: false,
    superviseIntervalSeconds: sweepSeconds,
    monitorIntervalSeconds: sweepSeconds,
    flowIntervalSeconds: 3600,
    bamIntervalSeconds: 3600,
    monitorVacuum: false,
  });
  let lastError = '';
  boss.on('error', (error) => {
    if (String(error) !== lastError) logger.warn({ err: error }, 'upkeep of the bus failed');
    lastError = String(error);
  });
  await boss.start();
  try {
    const existing = new Set((await boss.getQueues()).map(({ name }) => name));
    for (const queue of topology.queues) await prepareQueue({ boss, existing, options }, queue);
    return boss;
  } catch (error) {
    await stopBoss(boss);
    throw error;
  }
}

interface Preparation {
  boss: PgBoss;
  existing: ReadonlySet<string>;
  options: EmbeddedStoreOptions;
}

async function prepareQueue({ boss, existing, options }: Preparation, queue: QueueDeclaration): Promise<void> {
  const { leaseSeconds, assertTopology } = options;
  const isLasting = queue.maxLength === undefined;
  const kept = { retentionSeconds: isLasting ? YEAR_SECONDS : 7 * 24 * 3600, deleteAfterSeconds: 3600 };
  const lease = isExtended(leaseSeconds)
    ? { expireInSeconds: 24 * 3600, heartbeatSeconds: Math.floor(leaseSeconds) }
    : { expireInSeconds: leaseSeconds };
  const dead = deadQueueOf(queue.name);
  const work = { ...kept, ...lease, retryLimit: queue.deliveryLimit, retryDelay: 0, retryBackoff: false };
  const wanted = isLasting
    ? [
        { name: dead, settings: { ...kept, retryLimit: 1000, expireInSeconds: 60 } },
        { name: queue.name, settings: { ...work, deadLetter: dead } },
      ]
    : [{ name: queue.name, settings: kept }];
  for (const { name, settings } of wanted) {
    if (!(assertTopology || existing.has(name)))
      throw new TopologyMismatchError(`The bus topology lacks the queue ${name}`);
    if (!assertTopology) continue;
    if (existing.has(name)) await boss.updateQueue(name, settings);
    else await boss.createQueue(name, settings);
  }
}

async function stopBoss(boss: PgBoss | undefined): Promise<void> {
  await boss?.stop({ graceful: false, close: false }).catch(() => undefined);
}

async function transact<Result>(
  pool: pg.Pool,
  work: (db: Db) => Promise<Result>,
  wakes: Iterable<string>,
): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin');
    const result = await work({ executeSql: (text, values) => client.query(text, values) });
    for (const queue of wakes) await client.query('select pg_notify($1, $2)', [CHANNEL, queue]);
    await client.query('commit');
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure); // a failed connection is discarded, which also rolls back
  }
}
