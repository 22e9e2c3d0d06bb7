import { createHttpApp, type HttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { until } from '@vuka/test-kit/until';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitWrites } from './write-limits.ts';

let app: HttpApp;
let url: string;
let underWay: number;
let gate: PromiseWithResolvers<void>;

/** A gateway whose neighbours answer when the test says so. */
beforeEach(async () => {
  [underWay, gate] = [0, Promise.withResolvers()];
  app = createHttpApp({
    service: 'gateway-test',
    logger: createLogger({ service: 'test', level: 'silent' }),
    checks: {},
  });
  limitWrites(app);
  for (const path of ['/api/register', '/api/pin-reset', '/api/pin-reset/confirm', '/api/slow']) {
    app.post(path, async () => {
      underWay += 1;
      await gate.promise;
      return {};
    });
  }
  app.post('/api/quick', async () => ({}));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

const post = async (path: string) => (await fetch(url + path, { method: 'POST' })).status;

async function pile(path: string) {
  const calls = Array.from({ length: 100 }, () => post(path));
  await until(() => underWay === 100, { what: 'the calls are under way' });
  return {
    async finish() {
      gate.resolve();
      expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
    },
  };
}

test('a hundred slow writing calls refuse the next until one of them ends', async () => {
  const slow = await pile('/api/slow');
  expect(await post('/api/quick')).toBe(503);
  await slow.finish();
  expect(await post('/api/quick')).toBe(200);
});

test.each(['/api/register', '/api/pin-reset', '/api/pin-reset/confirm'])(
  'calls of %s, which need no session, do not refuse those of signed-in users',
  async (path) => {
    const strangers = await pile(path);
    expect(await post('/api/quick')).toBe(200);
    await strangers.finish();
  },
);
