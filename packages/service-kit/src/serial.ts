import { overloaded } from './app-error.ts';

/** Runs work that shares a key one at a time, and work with different keys in parallel. */
export type Serial = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** `maxWaiting` is per key; work beyond it is refused as unavailable. */
export function createSerial(maxWaiting = 300): Serial {
  const tails = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return async (key, work) => {
    const tail = tails.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (tail.waiting >= maxWaiting) throw overloaded('too much work waits for one key');
    tails.set(key, tail);
    tail.waiting += 1;
    const result = tail.last.then(work);
    tail.last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      tail.waiting -= 1;
      if (tail.waiting === 0) tails.delete(key);
    }
  };
}
