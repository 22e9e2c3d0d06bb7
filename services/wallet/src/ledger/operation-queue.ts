import type { WalletResult } from '@vuka/contracts/internal/wallet';
import type { Operation } from './ledger.domain.ts';

export interface QueuedOperation {
  operation: Operation;
  queuedAtMs: number;
  resolve(result: WalletResult): void;
  reject(error: Error): void;
}

export interface QueueLimits {
  maxQueued: number;
  /** An operation not started within this time is refused. */
  maxAgeMs: number;
}

const OVERLOADED: WalletResult = { outcome: 'failed', reason: 'overloaded', retryAfterSeconds: 1 };

/** Operations waiting for the writer, bounded in number and age, so that callers are refused early. */
export function createOperationQueue(limits: QueueLimits) {
  let waiting: QueuedOperation[] = [];
  let timer: NodeJS.Timeout | undefined;

  function refuseOld() {
    timer = undefined;
    const oldestMs = Date.now() - limits.maxAgeMs;
    const firstFresh = waiting.findIndex((item) => item.queuedAtMs > oldestMs);
    const old = waiting.splice(0, firstFresh === -1 ? waiting.length : firstFresh);
    for (const item of old) item.resolve(OVERLOADED);
    watchAge();
  }

  function watchAge() {
    const [oldest] = waiting;
    if (!oldest || timer) return;
    timer = setTimeout(refuseOld, Math.max(1, oldest.queuedAtMs + limits.maxAgeMs - Date.now()));
  }

  return {
    size: () => waiting.length,
    /**
     * Queues the operation; refuses it at once when the queue is full. Rejects only when the outcome remains unknown.
     */
    add(operation: Operation): Promise<WalletResult> {
      if (waiting.length >= limits.maxQueued) return Promise.resolve(OVERLOADED);
      return new Promise((resolve, reject) => {
        waiting.push({ operation, queuedAtMs: Date.now(), resolve, reject });
        watchAge();
      });
    },
    take(max: number): QueuedOperation[] {
      const taken = waiting.slice(0, max);
      waiting = waiting.slice(max);
      return taken;
    },
    refuseAll() {
      for (const item of waiting.splice(0)) item.resolve(OVERLOADED);
      clearTimeout(timer);
    },
  };
}
