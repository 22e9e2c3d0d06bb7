import { expect, test } from 'vitest';
import { within } from './within.ts';

test('work has its result or its failure, and fails if it does not end in time', async () => {
  expect(await within(Promise.resolve(1), 1_000)).toBe(1);
  await expect(within(Promise.reject(new Error('broken')), 1_000)).rejects.toThrow('broken');
  await expect(within(new Promise(() => undefined), 5)).rejects.toThrow('not ended within 0 s');
});
