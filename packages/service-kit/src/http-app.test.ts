import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { RecipientLabel } from '@vuka/contracts/http/recipients';
import { until } from '@vuka/test-kit/until';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { AppError } from './app-error.ts';
import { createHttpApp, type HttpAppOptions, listeningPart } from './http-app.ts';
import { EARLY_HEADERS, NOT_BEGUN_HEADER } from './http-errors.ts';
import { createLogger } from './logger.ts';
import { SERVICE_HEADER } from './service-tokens.ts';

/** A token is the name of its service; the real ones have their own test. */
const tokens = { verify: async (token: string) => token || undefined };
const service = { [SERVICE_HEADER]: 'gateway' };

function buildApp(
  options: Partial<Pick<HttpAppOptions, 'running' | 'startPatienceMs' | 'answerWithin' | 'checks'>> = {},
) {
  const app = createHttpApp({
    service: 'bakery',
    logger: createLogger({ service: 'bakery', level: 'silent' }),
    tokens,
    checks: { oven: () => true, flour: async () => false },
    bodyLimitBytes: 1_000,
    ...options,
  });
  app.post(
    '/loaves',
    { schema: { body: z.object({ size: z.int({ error: 'Size must be whole' }) }) } },
    async () => ({}),
  );
  app.get('/sold-out', () => {
    throw new AppError(
      { code: 'unavailable', error: 'No bread left' },
      { retryAfterSeconds: 1.2, details: { nextBake: '05:00' } },
    );
  });
  app.post('/names', { schema: { body: z.object({ name: RecipientLabel, age: z.int() }) } }, async () => ({}));
  app.get('/locked', () => {
    throw new AppError('pin_locked', { field: 'pin', params: { minutes: 1 } });
  });
  app.get('/bug', () => {
    throw new Error('select * from secrets');
  });
  app.get('/same-oven', () => {
    throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
  });
  app.get('/dough', () => new Promise(() => undefined));
  app.get('/baguettes', (_request, reply) => reply.send(Readable.from(bake())));
  app.get('/internal/recipe', async () => ({ flour: 1 }));
  return app;
}

async function* bake() {
  for (const loaf of ['one', 'two', 'three']) {
    yield loaf;
    await delay(40);
  }
}

test('a bad body is a 400 that names every issue, the first one as the error', async () => {
  const response = await buildApp().inject({ method: 'POST', url: '/loaves', payload: { size: 'big' } });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toEqual({
    error: 'Size must be whole',
    code: 'validation_failed',
    requestId: response.headers['x-request-id'],
    issues: [{ path: 'size', message: 'Size must be whole' }],
  });
});

test('a broken rule of the contract is answered with its reason and parameters, and in English', async () => {
  const payload = { name: 'x'.repeat(41), age: 'old' };
  const response = await buildApp().inject({ method: 'POST', url: '/names', payload });
  const refusal = { reason: 'name_too_long', params: { max: 40 } };
  expect(response.json()).toEqual({
    error: 'Name must not exceed 40 characters',
    code: 'validation_failed',
    ...refusal,
    requestId: response.headers['x-request-id'],
    issues: [
      { path: 'name', message: 'Name must not exceed 40 characters', ...refusal },
      { path: 'age', message: 'age is not valid', reason: 'field_invalid', params: { field: 'age' } },
    ],
  });
});

test('a refusal is answered with the code and text of its reason, in the singular for one', async () => {
  const response = await buildApp().inject('/locked');
  expect(response.statusCode).toBe(429);
  const error = 'Too many wrong PINs. Please try again in 1 minute.';
  const refusal = { reason: 'pin_locked', params: { minutes: 1 } };
  expect(response.json()).toEqual({
    error,
    code: 'too_many_attempts',
    ...refusal,
    requestId: response.headers['x-request-id'],
    issues: [{ path: 'pin', message: error, ...refusal }],
  });
});

test.each([
  ['broken JSON', '{"size":', 'application/json'],
  ['a form', 'size=1', 'application/x-www-form-urlencoded'],
  ['a polluting key', '{"__proto__":{"size":1}}', 'application/json'],
])('%s is a 400', async (_what, payload, contentType) => {
  const response = await buildApp().inject({
    method: 'POST',
    url: '/loaves',
    payload,
    headers: { 'content-type': contentType },
  });
  expect(response.json()).toMatchObject({ code: 'validation_failed' });
});

test.each([
  ['half a surrogate pair', '{"size":1,"name":"x\\ud800y"}', 'The request has characters that are not text.'],
  [
    'half a surrogate pair in a name',
    '{"size":1,"x\\uDC00":{"a":[1]}}',
    'The request has characters that are not text.',
  ],
  [
    'a NUL in a field that no table stores',
    '{"size":1,"note":"x\\u0000y"}',
    'The request has characters that are not text.',
  ],
  ['a NUL in a name', '{"size":1,"x\\u0000":{"a":[1]}}', 'The request has characters that are not text.'],
  ['a list', '[1]', 'The request must be a JSON object.'],
  ['no body', '', 'The request must be a JSON object.'],
])('%s is a 400 that names the problem', async (_what, payload, error) => {
  const headers = { 'content-type': 'application/json' };
  const response = await buildApp().inject({ method: 'POST', url: '/loaves', payload, headers });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ code: 'validation_failed', error });
});

test('a complete surrogate pair, escaped or not, and the deepest body are accepted', async () => {
  const headers = { 'content-type': 'application/json' };
  for (const rest of ['"\\ud83d\\ude00"', '"😀"', '"\\\\ud800 \\\\u0000"', `${'['.repeat(400)}${']'.repeat(400)}`]) {
    const response = await buildApp().inject({
      method: 'POST',
      url: '/loaves',
      payload: `{"size":1,"name":${rest}}`,
      headers,
    });
    expect(response.statusCode, rest).toBe(200);
  }
});

test('a request without a body may have the content type JSON', async () => {
  const app = buildApp();
  app.post('/sold', async () => ({ ok: true }));
  const response = await app.inject({ method: 'POST', url: '/sold', headers: { 'content-type': 'application/json' } });
  expect(response.statusCode).toBe(200);
});

test.each(['/%zz', '/internal/%E0%A4%A'])(
  'an unreadable address, %s, is refused in the common error shape',
  async (url) => {
    const response = await buildApp().inject({ url });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      error: 'The address could not be read.',
      code: 'validation_failed',
      reason: 'address_unreadable',
      requestId: response.headers['x-request-id'],
    });
    expect(response.headers).toMatchObject(EARLY_HEADERS);
  },
);

test.each([
  ['input that is not HTTP', 'HELO bakery\r\n\r\n', 400, { code: 'validation_failed', reason: 'request_unreadable' }],
  [
    'a body with two lengths',
    'POST /loaves HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    { code: 'validation_failed', reason: 'request_unreadable' },
  ],
  [
    'a header larger than the limit for all headers',
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    413,
    { code: 'payload_too_large', reason: 'request_too_large' },
  ],
])('%s is refused in the common error shape', async (_what, sent, status, refusal) => {
  const app = buildApp();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(sent);
  const answer = await text(socket);
  await app.close();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const requestId = /x-request-id: (\S+)/.exec(head)?.[1];
  expect(head).toContain(`HTTP/1.1 ${status} `);
  for (const [name, value] of Object.entries(EARLY_HEADERS)) expect(head).toContain(`${name}: ${value}`);
  expect(JSON.parse(body)).toEqual({ error: expect.any(String), ...refusal, requestId });
});

test('a body over the limit is a 413', async () => {
  const response = await buildApp().inject({
    method: 'POST',
    url: '/loaves',
    payload: { size: 1, note: 'x'.repeat(1_000) },
  });
  expect(response.statusCode).toBe(413);
  expect(response.json()).toMatchObject({ code: 'payload_too_large' });
});

test('a public error keeps its code, details and Retry-After', async () => {
  const response = await buildApp().inject('/sold-out');
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('2');
  expect(response.json()).toMatchObject({ error: 'No bread left', code: 'unavailable', nextBake: '05:00' });
});

test('a request that lost a deadlock is refused as one that may be repeated', async () => {
  const response = await buildApp().inject('/same-oven');
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2']);
  expect(response.body).not.toContain('deadlock');
});

test('a client that does not close a connection whose request was unreadable does not keep it', async () => {
  const app = buildApp();
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void client.destroy());
  client.on('error', () => undefined).write('GET / HTTP/1.1\r\nnot a header\r\n\r\n');
  const [answer] = await once(client, 'data');
  expect(String(answer)).toContain('request_unreadable');
  const open = promisify<number>((done) => app.server.getConnections(done as (error: Error | null, n: number) => void));
  await until(async () => (await open()) === 0);
});

test('a bug reveals nothing about itself', async () => {
  const response = await buildApp().inject('/bug');
  expect(response.statusCode).toBe(500);
  expect(response.body).not.toContain('secrets');
});

test('readiness names each dependency and its state; liveness does not depend on them', async () => {
  const ready = await buildApp().inject('/health/ready');
  expect(ready.statusCode).toBe(503);
  expect(ready.json()).toEqual({ status: 'waiting', dependencies: { oven: 'up', flour: 'down' } });
  expect((await buildApp().inject('/health/live')).statusCode).toBe(200);
});

test('many who ask for readiness together cost one check, and the next question another', async () => {
  const checked = Promise.withResolvers<boolean>();
  let [asked, arrived] = [0, 0];
  const flour = () => {
    asked += 1;
    return checked.promise;
  };
  const app = buildApp({ checks: { flour } });
  app.addHook('preHandler', async () => {
    arrived += 1;
  });
  const answers = Array.from({ length: 20 }, () => app.inject('/health/ready'));
  await until(() => arrived === 20);
  checked.resolve(true);
  for (const answer of answers) expect((await answer).statusCode).toBe(200);
  expect(asked).toBe(1);
  await app.inject('/health/ready');
  expect(asked).toBe(2);
});

test('what a starting process is asked waits for its start; health is answered meanwhile', async () => {
  const { promise: running, resolve: start } = Promise.withResolvers<void>();
  const app = buildApp({ running });
  let isAnswered = false;
  const answer = app.inject({ method: 'POST', url: '/loaves', payload: { size: 1 } }).then((response) => {
    isAnswered = true;
    return response;
  });
  expect((await app.inject('/health/live')).statusCode).toBe(200);
  expect(isAnswered).toBe(false);
  start();
  expect((await answer).statusCode).toBe(200);
});

test('a request that waits too long for the start is refused, and its answer says that nothing of it was begun', async () => {
  const app = buildApp({ running: new Promise(() => undefined), startPatienceMs: 10 });
  const response = await app.inject({ method: 'POST', url: '/loaves', payload: { size: 1 } });
  expect([response.statusCode, response.headers['x-vuka-not-begun']]).toEqual([503, 'true']);
  const begun = await buildApp().inject('/sold-out');
  expect([begun.statusCode, begun.headers['x-vuka-not-begun']]).toEqual([503, undefined]);
});

test.each(['/internal/recipe', '/%69nternal/recipe', '/internal%2Frecipe', '//internal/recipe'])(
  'only services can read %s',
  async (url) => {
    const response = await buildApp().inject({ url });
    expect([403, 404]).toContain(response.statusCode);
    expect(response.body).not.toContain('flour');
    expect((await buildApp().inject({ url: '/internal/recipe', headers: service })).json()).toEqual({ flour: 1 });
  },
);

const WITHIN_50_MS = { ms: 50, atStartMs: 50 };

test('a request whose handler takes too long is answered with a 503 that says when to come back', async () => {
  const response = await buildApp({ answerWithin: WITHIN_50_MS }).inject({ url: '/dough' });
  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({ code: 'unavailable' });
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
});

test('a handler that ends after its request was answered logs nothing', async () => {
  const app = buildApp({ answerWithin: WITHIN_50_MS });
  const warn = vi.spyOn(app.log, 'warn');
  const baking = Promise.withResolvers<object>();
  app.get('/bagels', () => baking.promise);
  expect((await app.inject({ url: '/bagels' })).statusCode).toBe(503);
  warn.mockClear();
  baking.resolve({ bagels: 12 });
  await nextTurn();
  expect(warn).not.toHaveBeenCalled();
});

test('a request of the first ten seconds, which may have waited for the process, gets its answer earlier than others', async () => {
  const atStart = await buildApp({ answerWithin: { ms: 60_000, atStartMs: 50 } }).inject({ url: '/dough' });
  expect(atStart.statusCode).toBe(503);
  const app = buildApp({ answerWithin: { ms: 50, atStartMs: 60_000 } });
  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_001);
  const response = await app.inject({ url: '/dough' });
  later.mockRestore();
  expect(response.statusCode).toBe(503);
});

test('the time that a request waits for the start counts towards its deadline', async () => {
  const app = buildApp({ running: new Promise(() => undefined), startPatienceMs: 5_000, answerWithin: WITHIN_50_MS });
  const response = await app.inject({ method: 'POST', url: '/loaves', payload: { size: 1 } });
  expect(response.statusCode).toBe(503);
  expect(response.headers[NOT_BEGUN_HEADER]).toBeUndefined();
});

test('an answer that has begun may take longer than the deadline', async () => {
  const response = await buildApp({ answerWithin: WITHIN_50_MS }).inject({ url: '/baguettes' });
  expect(response.statusCode).toBe(200);
  expect(response.body).toBe('onetwothree');
});

test('a server that stops says so and answers what was sent meanwhile, also on new connections, before it closes', async () => {
  const app = buildApp();
  const server = listeningPart(app, { host: '127.0.0.1', port: 0 });
  await server.start();
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const closed = server.stop();
  const [ready, live] = await Promise.all([fetch(`${address}/health/ready`), fetch(`${address}/health/live`)]);
  expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ status: 'stopping' })]);
  expect([live.status, live.headers.get('connection')]).toEqual([200, 'close']);
  await closed;
  await expect(fetch(`${address}/health/live`)).rejects.toThrow();
});

test('a connection on which nothing was sent does not delay the stop', async () => {
  const app = buildApp();
  const server = listeningPart(app, { host: '127.0.0.1', port: 0 });
  await server.start();
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const arrived = once(app.server, 'connection');
  const closed = once(socket, 'close');
  await arrived;
  await server.stop();
  await closed;
});

test('a connection that was opened during the stop is answered', async () => {
  const app = buildApp();
  const server = listeningPart(app, { host: '127.0.0.1', port: 0 });
  await server.start();
  const isListening = once(app.server, 'close');
  const closed = server.stop();
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(app.server, 'connection');
  await until(() => !app.server.listening, { what: 'the server to accept no more' });
  socket.write('GET /health/live HTTP/1.1\r\nhost: shop\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200/);
  await Promise.all([closed, isListening]);
});

test('a service keeps a well-formed request id and replaces any other; the public app replaces all', async () => {
  const publicApp = createHttpApp({
    service: 'shop',
    logger: createLogger({ service: 'shop', level: 'silent' }),
    checks: {},
  });
  const send = async (id: string, app = buildApp()) =>
    (await app.inject({ url: '/health/live', headers: { 'x-request-id': id } })).headers['x-request-id'];
  expect(await send('shop-4711-abc')).toBe('shop-4711-abc');
  expect(await send('bad id\twith spaces')).not.toBe('bad id\twith spaces');
  expect(await send('shop-4711-abc', publicApp)).toMatch(/^[0-9a-f-]{36}$/);
});

test('an answer sent while the app closes also closes its connection, so that the stop is not delayed', async () => {
  const app = buildApp();
  const [asked, oven] = [Promise.withResolvers<void>(), Promise.withResolvers<object>()];
  app.get('/slow', () => {
    asked.resolve();
    return oven.promise;
  });
  const answer = fetch(`${await app.listen({ host: '127.0.0.1', port: 0 })}/slow`);
  await asked.promise;
  const closed = app.close();
  await new Promise(setImmediate);
  oven.resolve({ loaves: 2 });
  const { status, headers } = await answer;
  expect([status, headers.get('connection')]).toEqual([200, 'close']);
  await closed;
});
