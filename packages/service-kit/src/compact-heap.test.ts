import { expect, test } from 'vitest';
import { compactHeap } from './compact-heap.ts';

test('memory that a start has used, and no longer needs, goes back to the system', async () => {
  const mebibyte = 2 ** 20;
  const before = process.memoryUsage().heapTotal;
  let loaded: object[] | undefined = Array.from({ length: 500_000 }, (_, index) => ({ index }));
  const full = process.memoryUsage().heapTotal;
  expect(full - before).toBeGreaterThan(15 * mebibyte);
  expect(loaded).toHaveLength(500_000);
  loaded = undefined;
  await compactHeap();
  expect(process.memoryUsage().heapTotal).toBeLessThan(full - 15 * mebibyte);
});
