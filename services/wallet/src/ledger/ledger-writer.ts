import { setTimeout as delay } from 'node:timers/promises';
import type { WalletResult } from '@vuka/contracts/internal/wallet';
import { unavailable } from '@vuka/service-kit/app-error';
import type { Logger } from '@vuka/service-kit/logger';
import type { OutboxPack } from '@vuka/service-kit/outbox';
import type { Operation } from './ledger.domain.ts';
import { createOperationQueue, type QueuedOperation, type QueueLimits } from './operation-queue.ts';
import { runBatch } from './run-batch.ts';
import { type BatchFailure, classifyFailure, type WriterConnection } from './writer-connection.ts';
import { createWriterLink, type WriterLink } from './writer-link.ts';

export interface LedgerWriterOptions {
  url: string;
  logger: Logger;
  /** Called after each commit with the number of journals written and the messages left in the outbox. */
  onCommit?: (journals: number, pack: OutboxPack | undefined) => void;
  limits?: Partial<QueueLimits>;
  now?: () => Date;
}

export interface LedgerWriter {
  /** Connects, and keeps trying in the background while the database is unavailable. */
  start(): void;
  /**
   * Resolves after the commit. Rejects with `unavailable` only when the outcome is unknown: repeat it with the same
   * key.
   */
  submit(operation: Operation): Promise<WalletResult>;
  isConnected(): boolean;
  queued(): number;
  /** True while this process is the active writer, which does the ledger's background work. */
  takeLease(): Promise<boolean>;
  /** Finishes queued operations within 3 s. */
  stop(): Promise<void>;
}

const MAX_BATCH = 500;
const MAX_ATTEMPTS = 8;
const DRAIN_MS = 2_500;
const OVERLOADED: WalletResult = { outcome: 'failed', reason: 'overloaded', retryAfterSeconds: 2 };
const INTERNAL: WalletResult = { outcome: 'failed', reason: 'internal', retryAfterSeconds: 5 };

/**
 * The only writer of the ledger. Operations queued while a batch is in progress form the next batch: one operation when
 * idle, hundreds under load, and one flush of the log for all of them.
 */
export function createLedgerWriter(options: LedgerWriterOptions): LedgerWriter {
  const queue = createOperationQueue({ maxQueued: 2_000, maxAgeMs: 250, ...options.limits });
  const link = createWriterLink(options.url, options.logger);
  const settle = createSettler(link, options);
  let isStopping = false;
  let running: Promise<void> | undefined;

  async function drain() {
    // Connect first: an operation in the queue can still be refused, so take it only when it can run at once.
    while (queue.size() > 0 && (await link.connected())) await settle(queue.take(MAX_BATCH));
    running = undefined;
  }

  return {
    start: () => void link.connected(),
    submit(operation) {
      if (isStopping) return Promise.resolve(OVERLOADED);
      const result = queue.add(operation);
      running ??= drain();
      return result;
    },
    isConnected: () => link.current() !== undefined,
    queued: () => queue.size(),
    takeLease: async () => (await link.current()?.takeLease()) ?? false,
    async stop() {
      isStopping = true;
      await Promise.race([running, delay(DRAIN_MS, undefined, { ref: false })]);
      queue.refuseAll();
      link.close();
      await Promise.race([running, delay(DRAIN_MS / 5, undefined, { ref: false })]);
    },
  };
}

/** Runs batches until every operation has its result. */
function createSettler(link: WriterLink, options: LedgerWriterOptions) {
  const { logger, onCommit, now = () => new Date() } = options;

  async function settle(batch: QueuedOperation[]): Promise<void> {
    for (let conflicts = 0; batch.length > 0; ) {
      const connection = await link.connected();
      if (!connection) return rejectAll(batch);
      const failed = await attempt(connection, batch);
      if (!failed) return;
      if (failed.failure === 'lost') continue;
      conflicts += 1;
      if (failed.failure !== 'transient' || conflicts >= MAX_ATTEMPTS) return separate(batch, failed);
      await delay(Math.random() * 5 * conflicts);
    }
  }

  async function attempt(connection: WriterConnection, batch: QueuedOperation[]): Promise<Failed | undefined> {
    const { client, directory } = connection;
    try {
      const operations = batch.map((item) => item.operation);
      const { results, written, pack } = await runBatch(client, operations, { directory, now });
      for (const [index, item] of batch.entries()) item.resolve(results[index] ?? INTERNAL);
      if (written > 0) onCommit?.(written, pack);
      return undefined;
    } catch (error) {
      const failure = classifyFailure(error, connection);
      if (failure === 'lost') {
        // The batch may have committed. Running it again is safe: the keys turn committed operations into replays.
        logger.warn({ err: error, operations: batch.length }, 'the ledger lost its database connection');
        connection.destroy();
      } else await client.query('rollback').catch(() => connection.destroy());
      return { failure, error };
    }
  }

  /** Halves the batch until the faulty operation is isolated; all others are written. */
  async function separate(batch: QueuedOperation[], { failure, error }: Failed): Promise<void> {
    if (failure === 'refusing' || batch.length === 1) {
      const key = batch[0]?.operation.key;
      logger.error({ err: error, key, operations: batch.length }, 'the ledger could not write a batch');
      for (const item of batch) item.resolve(failure === 'faulty' ? INTERNAL : OVERLOADED);
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await settle(batch.slice(0, middle));
    await settle(batch.slice(middle));
  }

  return settle;
}

interface Failed {
  failure: BatchFailure;
  error: unknown;
}

function rejectAll(batch: QueuedOperation[]): void {
  for (const item of batch) item.reject(unavailable());
}
