import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { HISTORY_KEY } from './api/transactions.api.ts';
import { applyEvent } from './live-updates.ts';
import { pollByLength } from './pages-loaded.ts';

const loaded = (pages: number) => ({ pages: Array.from({ length: pages }), pageParams: [] });

test('the longer a list, the less often it is polled, so that its requests stay at one every 30 s', () => {
  const every = pollByLength(30_000);
  expect([undefined, loaded(1), loaded(10)].map((data) => every({ state: { data } }))).toEqual([
    30_000, 30_000, 300_000,
  ]);
});

test.each([
  [1, true],
  [3, true],
  [4, false],
  [10, false],
])('an event refetches a history of %s pages: %s', async (pages, expected) => {
  const client = new QueryClient();
  const fetched = vi.fn(() => Promise.resolve(loaded(pages)));
  await client.prefetchQuery({ queryKey: [...HISTORY_KEY, {}], queryFn: fetched });
  applyEvent(client, 'transaction', '');
  expect(client.getQueryState([...HISTORY_KEY, {}])?.isInvalidated).toBe(expected);
});
