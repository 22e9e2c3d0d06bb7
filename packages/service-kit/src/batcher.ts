import { overloaded } from './app-error.ts';
import { isDatabaseUnavailable } from './database.ts';
import { INTERNAL_BODY_LIMIT_BYTES } from './http-app.ts';

export interface BatcherOptions<In, Out> {
  /** Handles a batch in order and returns one result per item. An Error as a result rejects only that item. */
  run(items: In[]): Promise<readonly (Out | Error)[]>;
  maxBatch?: number;
  /** The size of an item, such as its bytes; used with `maxBatchSize`. */
  sizeOf?(item: In): number;
  /** The largest sum of sizes in a batch. A larger item is sent in a batch of its own. */
  maxBatchSize?: number;
  /** Items that may wait; one more is refused with a 503, so that a queue never hides an overload. */
  maxQueue?: number;
  /** Batches that may be in flight at once. */
  concurrency?: number;
  /**
   * The minimum time between the starts of two batches, ms; a full batch starts at once. For work whose result no
   * caller waits for, and for busy entry points: after a pause an item is sent without delay, under load items
   * gather.
   */
  paceMs?: number;
}

/** For batches that become the body of a call: a quarter of the longest body that a service reads. */
export const WITHIN_BODY = {
  sizeOf: (item: unknown): number => Buffer.byteLength(JSON.stringify(item)),
  maxBatchSize: INTERNAL_BODY_LIMIT_BYTES / 4,
};

export interface Batcher<In, Out> {
  submit(item: In): Promise<Out>;
  readonly waiting: number;
  /** Resolves when nothing is queued or in flight. */
  idle(): Promise<void>;
}

interface Waiting<In, Out> {
  item: In;
  size: number;
  resolve(result: Out): void;
  reject(error: unknown): void;
}

/**
 * Sends the items that queued up during the last call as one call. At rest a batch is one item and is sent at once;
 * under load batches grow.
 */
export function createBatcher<In, Out>(options: BatcherOptions<In, Out>): Batcher<In, Out> {
  const { maxBatch = 500, maxQueue = 5_000, concurrency = 1, paceMs = 0 } = options;
  const { sizeOf = () => 0, maxBatchSize = Number.POSITIVE_INFINITY } = options;
  let queue: Waiting<In, Out>[] = [];
  let queuedSize = 0;
  let inFlight = 0;
  let isScheduled = false;
  let paced: NodeJS.Timeout | undefined;
  let startedMs = Number.NEGATIVE_INFINITY;
  let onIdle: (() => void)[] = [];

  const fillsBatch = () => queue.length >= maxBatch || queuedSize >= maxBatchSize;

  function schedule() {
    if (isScheduled || (paced && !fillsBatch())) return;
    isScheduled = true;
    setImmediate(drain);
  }

  function drain() {
    isScheduled = false;
    while (queue.length > 0 && inFlight < concurrency) {
      const waitMs = fillsBatch() ? 0 : startedMs + paceMs - performance.now();
      if (waitMs > 0) return drainIn(waitMs);
      start();
    }
  }

  function drainIn(waitMs: number) {
    paced ??= setTimeout(() => {
      paced = undefined;
      drain();
    }, waitMs);
  }

  function start() {
    const batch = firstWithin(queue, maxBatch, maxBatchSize);
    queue = queue.slice(batch.length);
    queuedSize -= batch.reduce((sum, { size }) => sum + size, 0);
    inFlight += 1;
    if (paceMs > 0) startedMs = performance.now();
    void settle(batch).finally(() => {
      inFlight -= 1;
      if (queue.length > 0) return drain();
      if (inFlight === 0) for (const resolve of onIdle.splice(0)) resolve();
    });
  }

  async function settle(batch: Waiting<In, Out>[]) {
    try {
      const results = await options.run(batch.map((waiting) => waiting.item));
      if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`);
      batch.forEach((waiting, index) => {
        const result = results[index];
        if (result instanceof Error) waiting.reject(result);
        else waiting.resolve(result as Out);
      });
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }

  return {
    submit(item) {
      if (queue.length >= maxQueue) return Promise.reject(overloaded('batch queue is full'));
      return new Promise<Out>((resolve, reject) => {
        const size = sizeOf(item);
        queue.push({ item, size, resolve, reject });
        queuedSize += size;
        if (inFlight < concurrency) schedule();
      });
    },
    get waiting() {
      return queue.length;
    },
    idle() {
      if (queue.length === 0 && inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onIdle = [...onIdle, resolve];
      });
    },
  };
}

/** The items of the next batch: at least one, and no more than the bounds allow. */
function firstWithin<Item extends { size: number }>(queue: Item[], maxCount: number, maxSize: number): Item[] {
  let sum = 0;
  const first = queue.slice(0, maxCount);
  const beyond = first.findIndex(({ size }) => {
    sum += size;
    return sum > maxSize;
  });
  return beyond === -1 ? first : first.slice(0, Math.max(1, beyond));
}

/**
 * Wraps a batch that is one transaction: if it fails for any reason other than an unavailable database, it is run
 * again in halves, so that a bad item fails without the others. `run` must be all or nothing.
 */
export function bisecting<In, Out>(
  run: (items: In[]) => Promise<readonly (Out | Error)[]>,
): (items: In[]) => Promise<readonly (Out | Error)[]> {
  return async function runOrSplit(items): Promise<readonly (Out | Error)[]> {
    try {
      return await run(items);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (items.length === 1) return [error instanceof Error ? error : new Error(String(error))];
      const middle = Math.ceil(items.length / 2);
      return [...(await runOrSplit(items.slice(0, middle))), ...(await runOrSplit(items.slice(middle)))];
    }
  };
}
