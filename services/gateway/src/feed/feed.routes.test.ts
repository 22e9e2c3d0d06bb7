import type { ServerResponse } from 'node:http';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { until } from '@vuka/test-kit/until';
import { expect, onTestFinished, test } from 'vitest';
import type { ApiKeys } from '#guards/api-keys.ts';
import { feedRoutes } from './feed.routes.ts';
import type { FeedReader } from './feed-reader.ts';
import { createFeedStreams } from './feed-streams.ts';

const PROGRAM = { id: '0190a000-0000-7000-8000-0000000000a1', name: 'Bookkeeping', key: 'a-key' };
const EMPTY = { events: [], next: '1', hasMore: false, isGap: false };

/** A gateway whose identity answers key checks when the test says so. */
async function createDoor({ answerWithinMs = 60_000 } = {}) {
  const keys = Promise.withResolvers<typeof PROGRAM>();
  const answers: ServerResponse[] = [];
  const app = createHttpApp({
    service: 'gateway-test',
    logger: createLogger({ service: 'gateway-test', level: 'silent' }),
    checks: {},
    answerWithin: { ms: answerWithinMs, atStartMs: answerWithinMs },
  });
  const feedStreams = createFeedStreams();
  const apiKeys: ApiKeys = { require: () => keys.promise, stands: async () => true };
  const feedReader: FeedReader = { read: async () => EMPTY, forget: () => undefined };
  app.addHook('onRequest', async (_request, reply) => void answers.push(reply.raw));
  feedRoutes(app, { apiKeys, feedReader, feedStreams });
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/feed/transfers`;
  const left = new AbortController();
  onTestFinished(async () => {
    left.abort();
    await app.close();
  });
  const ask = () => fetch(url, { signal: left.signal }).catch(() => undefined);
  return {
    feedStreams,
    ask,
    answerKeys: () => keys.resolve(PROGRAM),
    areAllClosed: () => answers.every(({ destroyed }) => destroyed),
    async leaveOnce(count: number) {
      await until(() => answers.length === count);
      left.abort();
      await until(() => answers.every(({ destroyed }) => destroyed));
    },
  };
}

const askFiveTimes = (ask: () => Promise<Response | undefined>) => Promise.all(Array.from({ length: 5 }, ask));
const turn = () => new Promise(setImmediate);

test('readers that leave while their key is checked keep no slots', async () => {
  const { feedStreams, ask, leaveOnce, answerKeys } = await createDoor();
  const asked = askFiveTimes(ask);
  await leaveOnce(5);
  answerKeys();
  await Promise.all([asked, turn()]);
  expect(feedStreams.size).toBe(0);
});

test('readers that were refused because their key check took too long keep no slots', async () => {
  const { feedStreams, ask, areAllClosed, answerKeys } = await createDoor({ answerWithinMs: 50 });
  expect((await askFiveTimes(ask)).map((answer) => answer?.status)).toEqual(Array(5).fill(503));
  await until(areAllClosed);
  answerKeys();
  await turn();
  expect(feedStreams.size).toBe(0);
});
