import type { TransferEvents } from '@vuka/contracts/internal/transfer-events';
import { unavailable } from '@vuka/service-kit/app-error';
import { createLogger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { expect, test } from 'vitest';
import { createFeedReader } from './feed-reader.ts';

const PAGE: TransferEvents = { events: [], next: '7-0-0', hasMore: false, isGap: false };
const logger = createLogger({ service: 'feed-reader-test', level: 'silent' });

/** A fake transfers: records requests, each answered by the test. */
function createEdge() {
  const asked: { path: string; answer: PromiseWithResolvers<TransferEvents> }[] = [];
  const transfers = {
    get(path: string) {
      const answer = Promise.withResolvers<TransferEvents>();
      asked.push({ path, answer });
      return answer.promise;
    },
  } as unknown as ServiceClient;
  return { asked, reader: createFeedReader({ transfers, logger }) };
}

test('streams at the same position share a read, unless it began before they were woken', async () => {
  const { asked, reader } = createEdge();
  const early = [reader.read({ after: '7-0-0' }), reader.read({ after: '7-0-0' }), reader.read({ after: '8-1-0' })];
  reader.forget();
  const late = [reader.read({ after: '7-0-0' }), reader.read({ after: '7-0-0' })];
  expect(asked.map(({ path }) => path)).toEqual([
    '/internal/transfer-events?after=7-0-0',
    '/internal/transfer-events?after=8-1-0',
    '/internal/transfer-events?after=7-0-0',
  ]);
  for (const { answer } of asked) answer.resolve(PAGE);
  expect(await Promise.all([...early, ...late])).toEqual(Array(5).fill(PAGE));
});

test('a failed read fails for every stream that joined it, and the next stream reads again', async () => {
  const { asked, reader } = createEdge();
  const reads = [reader.read({ from: 'now' }), reader.read({ from: 'now' })];
  asked[0]?.answer.reject(unavailable());
  for (const read of reads) await expect(read).rejects.toMatchObject({ code: 'unavailable' });
  const again = reader.read({ from: 'now' });
  asked[1]?.answer.resolve(PAGE);
  expect(await again).toEqual(PAGE);
});
