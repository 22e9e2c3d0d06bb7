import type { ServerResponse } from 'node:http';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { until } from '@vuka/test-kit/until';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/schema.ts';
import type { Sessions } from '#guards/sessions.ts';
import { liveRoutes } from './live.routes.ts';
import { createLiveHub } from './live-hub.ts';

const SIGNED = { user: { id: '0190a000-0000-7000-8000-0000000000a1' }, sessionToken: 'a-session' };

let gate: PromiseWithResolvers<typeof SIGNED>;
/** The answers of the requests that have arrived. */
let answers: ServerResponse[];
let asked: PromiseWithResolvers<void>;
let app: ReturnType<typeof createHttpApp>;
let url: string;
const hub = createLiveHub();

/** A gateway whose identity answers session checks slowly. */
beforeEach(async () => {
  [gate, asked] = [Promise.withResolvers(), Promise.withResolvers()];
  answers = [];
  const sessions = {
    requireInBackground: () => {
      asked.resolve();
      return gate.promise;
    },
  } as unknown as Sessions;
  const logger = createLogger({ service: 'gateway-test', level: 'silent' });
  app = createHttpApp({ service: 'gateway-test', logger, checks: {} });
  app.addHook('onRequest', async (_request, reply) => void answers.push(reply.raw));
  liveRoutes(app, { sessions, hub, db: undefined as unknown as Db });
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/events`;
});
afterEach(() => app.close());

test('a stream requested before the process stops, and authenticated after, is refused and does not delay the stop', async () => {
  const answer = fetch(url);
  await asked.promise;
  const closed = app.close();
  await new Promise(setImmediate);
  gate.resolve(SIGNED);
  expect((await answer).status).toBe(503);
  await closed;
  expect(hub.size).toBe(0);
});

test('a HEAD request opens no stream', async () => {
  gate.resolve(SIGNED);
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(404);
  expect(hub.size).toBe(0);
});

test('readers that leave before they are authenticated leave no streams behind', async () => {
  const left = new AbortController();
  const asking = Array.from({ length: 10 }, () => fetch(url, { signal: left.signal }).catch(() => undefined));
  await until(() => answers.length === 10);
  left.abort();
  await Promise.all(asking);
  await until(() => answers.every(({ destroyed }) => destroyed));
  gate.resolve(SIGNED);
  await new Promise(setImmediate);
  expect(hub.size).toBe(0);
  const next = new AbortController();
  expect((await fetch(url, { signal: next.signal })).status).toBe(200);
  next.abort();
  await until(() => hub.size === 0);
});

test('one address takes at most a fifth of all places, and gets one back with each stream that ends', async () => {
  gate.resolve(SIGNED);
  const places = Array.from({ length: 2_000 }, (_, n) => hub.reserve(`user ${n}`, ['127.0.0.1']));
  const ask = async () => {
    const answer = await fetch(url);
    return [answer.status, await answer.json()];
  };
  const refusal = [429, expect.objectContaining({ reason: 'pages_full' })];
  expect(await ask()).toEqual(refusal);
  places[0]?.remove();
  places[0]?.remove();
  expect((await fetch(url)).status).toBe(200);
  expect(await ask()).toEqual(refusal);
  hub.endAll();
  for (const place of places) place.remove();
  await until(() => hub.size === 0);
  expect(hub.openStreamsFrom('127.0.0.1')).toBe(0);
});
