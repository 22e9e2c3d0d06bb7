import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createReadSlots, createSlots } from './slots.ts';

test('work runs in the order of the calls and within the limit', async () => {
  const inSlot = createSlots(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const all = Array.from({ length: 7 }, (_, n) =>
    inSlot(async () => {
      started.push(n);
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
    }),
  );
  await Promise.all(all);
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(most).toBe(2);
});

test('work that fails gives its slot back', async () => {
  const inSlot = createSlots(1);
  await expect(inSlot(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(inSlot(async () => 'next')).resolves.toBe('next');
});

test('reads beyond those that may wait are refused, and room comes back with each that ends', async () => {
  const read = createReadSlots({ atOnce: 1, most: 2, what: 'lists' });
  const end = Promise.withResolvers<string>();
  const running = [read(() => end.promise), read(() => end.promise)];
  await expect(read(async () => 'third')).rejects.toMatchObject({ reason: 'overloaded' });
  end.resolve('done');
  expect(await Promise.all(running)).toEqual(['done', 'done']);
  expect(await read(async () => 'third')).toBe('third');
});
