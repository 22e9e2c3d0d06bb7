import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/schema.ts';
import type { Sessions } from '#guards/sessions.ts';
import { liveRoutes } from './live.routes.ts';
import { createLiveHub } from './live-hub.ts';

const SIGNED = { user: { id: '0190a000-0000-7000-8000-0000000000a1' }, sessionToken: 'a-session' };

let gate: PromiseWithResolvers<typeof SIGNED>;
let asked: PromiseWithResolvers<void>;
let app: ReturnType<typeof createHttpApp>;
let url: string;
const hub = createLiveHub();

/** A gateway whose identity answers session checks slowly. */
beforeEach(async () => {
  [gate, asked] = [Promise.withResolvers(), Promise.withResolvers()];
  const sessions = {
    requireInBackground: () => {
      asked.resolve();
      return gate.promise;
    },
  } as unknown as Sessions;
  const logger = createLogger({ service: 'gateway-test', level: 'silent' });
  app = createHttpApp({ service: 'gateway-test', logger, checks: {} });
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
