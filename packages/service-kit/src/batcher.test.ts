import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatcher } from './batcher.ts';

/** A run that ends when the test says so. */
function controlled() {
  const batches: { items: number[]; finish: (results: (number | Error)[]) => void }[] = [];
  const run = (items: number[]) =>
    new Promise<(number | Error)[]>((finish) => {
      batches.push({ items, finish });
    });
  return { batches, run };
}

const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('items queued while a call is in flight are sent as one call', async () => {
  const { batches, run } = controlled();
  const batcher = createBatcher({ run });
  const first = batcher.submit(1);
  await nextTurn();
  const rest = [batcher.submit(2), batcher.submit(3), batcher.submit(4)];
  expect(batches.map((batch) => batch.items)).toEqual([[1]]);
  batches[0]!.finish([10]);
  expect(await first).toBe(10);
  await nextTurn();
  expect(batches[1]!.items).toEqual([2, 3, 4]);
  batches[1]!.finish([20, 30, 40]);
  expect(await Promise.all(rest)).toEqual([20, 30, 40]);
  await batcher.idle();
});

test('with a pace, an item after a pause goes at once, those that follow closely go together, a full batch does not wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const batches: number[][] = [];
  const batcher = createBatcher<number, number>({
    paceMs: 20,
    maxBatch: 3,
    concurrency: 2,
    run: async (items) => {
      batches.push(items);
      return items;
    },
  });
  const submitted = [batcher.submit(1)];
  await vi.advanceTimersByTimeAsync(1);
  expect(batches).toEqual([[1]]);
  submitted.push(batcher.submit(2), batcher.submit(3));
  await vi.advanceTimersByTimeAsync(18);
  expect(batches).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(2);
  expect(batches).toEqual([[1], [2, 3]]);
  submitted.push(...[4, 5, 6, 7].map((item) => batcher.submit(item)));
  await vi.advanceTimersByTimeAsync(1);
  expect(batches).toEqual([[1], [2, 3], [4, 5, 6]]);
  const idle = batcher.idle();
  await vi.advanceTimersByTimeAsync(20);
  await idle;
  expect(batches.at(-1)).toEqual([7]);
  expect(await Promise.all(submitted)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a batch keeps its order and its bound, and a larger item is sent in a batch of its own', async () => {
  const batches: number[][] = [];
  const batcher = createBatcher<number, number>({
    sizeOf: (item) => item,
    maxBatchSize: 10,
    maxBatch: 3,
    run: async (items) => {
      batches.push(items);
      return items;
    },
  });
  const items = [4, 6, 1, 50, 11, 9, 1, 1, 2, 2, 2];
  expect(await Promise.all(items.map((item) => batcher.submit(item)))).toEqual(items);
  expect(batches).toEqual([[4, 6], [1], [50], [11], [9, 1], [1, 2, 2], [2]]);
});

test('with a pace, a batch that is full by its size does not wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const batches: number[][] = [];
  const batcher = createBatcher<number, number>({
    paceMs: 20,
    sizeOf: (item) => item,
    maxBatchSize: 10,
    run: async (items) => {
      batches.push(items);
      return items;
    },
  });
  const submitted = [batcher.submit(1)];
  await vi.advanceTimersByTimeAsync(1);
  submitted.push(batcher.submit(4));
  await vi.advanceTimersByTimeAsync(1);
  submitted.push(batcher.submit(6), batcher.submit(3));
  await vi.advanceTimersByTimeAsync(1);
  expect(batches).toEqual([[1], [4, 6]]);
  await vi.advanceTimersByTimeAsync(20);
  expect(batches.at(-1)).toEqual([3]);
  expect(await Promise.all(submitted)).toEqual([1, 4, 6, 3]);
});

test('an error as a result rejects only that item; a failed run rejects its batch and not the next', async () => {
  let attempt = 0;
  const batcher = createBatcher<number, number>({
    run: async (items) => {
      if (++attempt === 2) throw new Error('lost');
      return items.map((item) => (item < 0 ? new Error('negative') : item));
    },
  });
  const [good, bad] = await Promise.allSettled([batcher.submit(1), batcher.submit(-1)]);
  expect(good).toEqual({ status: 'fulfilled', value: 1 });
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'negative' } });
  await expect(batcher.submit(2)).rejects.toThrow('lost');
  expect(await batcher.submit(3)).toBe(3);
});

test('an item beyond the queue limit is refused as unavailable instead of waiting indefinitely', async () => {
  const { batches, run } = controlled();
  const batcher = createBatcher({ run, maxQueue: 2, maxBatch: 1 });
  const first = batcher.submit(1);
  await nextTurn();
  const waiting = [batcher.submit(2), batcher.submit(3)];
  await expect(batcher.submit(4)).rejects.toMatchObject({ code: 'unavailable' });
  for (const results of [[1], [2], [3]]) {
    batches.at(-1)!.finish(results);
    await nextTurn();
  }
  expect(await Promise.all([first, ...waiting])).toEqual([1, 2, 3]);
});
