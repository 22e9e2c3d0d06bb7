import { CloudEvent } from '@vuka/contracts/cloud-event';
import type { QueueDeclaration } from '@vuka/contracts/topology';
import type { Job } from 'pg-boss';
import type { Logger } from 'pino';
import { deadQueueOf, type EmbeddedStore, isExtended } from '#messaging/embedded-store.ts';
import { type Disposition, HOLD_MS, type MessageHandler, type Subscription } from '#messaging/message-bus.ts';
import { describeFailure } from '#messaging/settlement.ts';

/** A message as a job stores it. `reason` is set once it is dead. */
export interface StoredMessage {
  envelope: unknown;
  key: string;
  attempt: number;
  reason?: string;
  /** It was put back: its handler may have begun. */
  redelivered?: boolean;
}

export interface EmbeddedConsumerOptions {
  store: EmbeddedStore;
  queue: QueueDeclaration;
  handler: MessageHandler;
  prefetch: number;
  leaseSeconds: number;
  /** How long a handler may wait with a message. */
  holdMs?: number | undefined;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

interface InFlight {
  job: Job<StoredMessage>;
  leaseUntilMs: number;
  lost: AbortController;
  stopping: AbortSignal;
  waitUntilMs: number;
}

/** Polls the queue even without a wake-up: for expired delays and returned messages. */
const POLL_MS = 500;
const LARGEST_FETCH = 500;
const SETTLE_ATTEMPTS = 5;

/** Consumes a queue: fetches as many messages as there are free handlers, on a wake-up or at the next poll. */
export function startEmbeddedConsumer(options: EmbeddedConsumerOptions): Subscription {
  const { store, queue, prefetch, leaseSeconds, holdMs = HOLD_MS } = options;
  const inFlight = new Map<string, InFlight>();
  const handling = new Set<Promise<void>>();
  const settle = createSettler(options);
  const stopping = new AbortController();
  let isStopping = false;
  let isWoken = false;
  let fetching: Promise<void> | undefined;

  async function fetchAll(): Promise<void> {
    do {
      isWoken = false;
      const free = Math.min(prefetch - inFlight.size, LARGEST_FETCH);
      if (free <= 0 || isStopping || !store.isConnected()) return;
      const jobs = await store.boss().fetch<StoredMessage>(queue.name, { batchSize: free });
      for (const job of jobs) begin(job);
      if (jobs.length === free) isWoken = true;
    } while (isWoken);
  }

  function fetchSoon(): void {
    isWoken = true;
    fetching ??= fetchAll()
      .catch(() => undefined) // the store has logged that the database is unavailable
      .finally(() => {
        fetching = undefined;
      });
  }

  function begin(job: Job<StoredMessage>): void {
    const now = performance.now();
    const entry: InFlight = {
      job,
      leaseUntilMs: now + leaseSeconds * 1000,
      lost: new AbortController(),
      stopping: stopping.signal,
      waitUntilMs: now + holdMs,
    };
    inFlight.set(job.id, entry);
    const run = handle(options, entry)
      .then((disposition) => settle(job, disposition))
      .finally(() => {
        inFlight.delete(job.id);
        handling.delete(run);
        if (!isStopping) fetchSoon();
      });
    handling.add(run);
  }

  const stopWaking = store.onWake((name) => (name === undefined || name === queue.name) && fetchSoon());
  const poll = setInterval(fetchSoon, POLL_MS);
  const keeper = setInterval(() => void keepLeases(options, inFlight), (leaseSeconds * 1000) / 3);
  fetchSoon();

  return {
    async stop() {
      isStopping = true;
      stopWaking();
      clearInterval(poll);
      await fetching;
      stopping.abort();
      await Promise.all(handling);
      clearInterval(keeper);
    },
  };
}

async function keepLeases({ store, queue, leaseSeconds }: EmbeddedConsumerOptions, inFlight: Map<string, InFlight>) {
  const held = [...inFlight.values()];
  const now = performance.now();
  if (held.length > 0 && isExtended(leaseSeconds)) {
    try {
      await store.boss().touch(
        queue.name,
        held.map(({ job }) => job),
      );
      for (const entry of held) entry.leaseUntilMs = now + leaseSeconds * 1000;
    } catch {
      // Temporarily unavailable; the lease may still be valid on the next turn.
    }
  }
  for (const { leaseUntilMs, lost } of held) if (leaseUntilMs <= performance.now()) lost.abort();
}

async function handle(
  { queue, handler, logger }: EmbeddedConsumerOptions,
  { job, lost, stopping, waitUntilMs }: InFlight,
): Promise<Disposition> {
  const envelope = CloudEvent.safeParse(job.data.envelope);
  if (!envelope.success) return { kind: 'dead', reason: 'malformed envelope' };
  try {
    const disposition = await handler({
      envelope: envelope.data,
      queue: queue.name,
      routingKey: job.data.key,
      attempt: job.data.attempt,
      redelivered: job.retryCount > 0 || job.data.redelivered === true,
      signal: lost.signal,
      stopping,
      waitUntilMs,
    });
    return disposition ?? { kind: 'ack' };
  } catch (error) {
    logger.warn({ err: error, queue: queue.name, messageId: envelope.data.id }, 'a message handler failed');
    return { kind: 'retry', reason: describeFailure(error) };
  }
}

interface Settlement {
  job: Job<StoredMessage>;
  disposition: Disposition;
  done: () => void;
}

/** Settles in batches: whatever ends while one transaction runs joins the next. Never rejects. */
function createSettler(options: EmbeddedConsumerOptions) {
  const waiting: Settlement[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    await Promise.resolve(); // lets others that end in the same turn join the batch
    while (waiting.length > 0) {
      const batch = waiting.splice(0, LARGEST_FETCH);
      await settleBatch(options, batch);
      for (const { done } of batch) done();
    }
    isRunning = false;
  }

  return (job: Job<StoredMessage>, disposition: Disposition) =>
    new Promise<void>((done) => {
      waiting.push({ job, disposition, done });
      if (!isRunning) void run();
    });
}

async function settleBatch(options: EmbeddedConsumerOptions, batch: Settlement[]): Promise<void> {
  const { store, queue, logger } = options;
  for (let attempt = 1; attempt <= SETTLE_ATTEMPTS; attempt += 1) {
    try {
      await writeSettlements(options, batch);
      return;
    } catch (error) {
      // After this the lease expires and the messages are delivered again; the consumer's inbox recognises them.
      if (attempt === SETTLE_ATTEMPTS) logger.warn({ err: error, queue: queue.name }, 'messages could not be settled');
      else await new Promise((resolve) => setTimeout(resolve, store.isConnected() ? 100 : POLL_MS));
    }
  }
}

async function writeSettlements({ store, queue, logger }: EmbeddedConsumerOptions, batch: Settlement[]): Promise<void> {
  const boss = store.boss();
  const jobs = batch.map(({ job }) => job);
  if (batch.every(({ disposition }) => disposition.kind === 'ack')) {
    await boss.deleteJob(queue.name, jobs);
    return;
  }
  const retries: { data: object; startAfter?: Date }[] = [];
  const dead: { data: StoredMessage & { reason: string } }[] = [];
  for (const { job, disposition } of batch) {
    if (disposition.kind === 'ack') continue;
    const { envelope, key, attempt } = job.data;
    if (disposition.kind === 'again') {
      retries.push({ data: { envelope, key, attempt, redelivered: true } });
      continue;
    }
    const delayMs = disposition.kind === 'retry' ? queue.retryDelaysMs[attempt - 1] : undefined;
    if (delayMs === undefined) dead.push({ data: { envelope, key, attempt, reason: disposition.reason } });
    else retries.push({ data: { envelope, key, attempt: attempt + 1 }, startAfter: new Date(Date.now() + delayMs) });
  }
  await store.transact(async (db) => {
    if (retries.length > 0) await boss.insert(queue.name, retries, { db });
    if (dead.length > 0) await boss.insert(deadQueueOf(queue.name), dead, { db });
    await boss.deleteJob(queue.name, jobs, { db });
  }, []);
  for (const { envelope, reason, attempt } of dead.map(({ data }) => data)) {
    // It may be anything: a malformed envelope is a reason to be dead.
    const messageId = (envelope as { id?: unknown } | null)?.id;
    logger.error({ queue: queue.name, messageId, reason, attempt }, 'a message is dead');
  }
}
