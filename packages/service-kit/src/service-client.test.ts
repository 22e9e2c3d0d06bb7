import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { until } from '@vuka/test-kit/until';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { createServiceClient } from './service-client.ts';

const TIMEOUT_MS = 1_000;
const Answer = z.object({ ok: z.boolean() });

/** A client of a neighbour that behaves as the listener does, and the number of its calls. */
async function askNeighbour(listener: RequestListener, options: { maxUnderWay?: number } = {}) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return clientOf((server.address() as AddressInfo).port, options);
}

function clientOf(port: number, options: { maxUnderWay?: number } = {}) {
  const client = createServiceClient({
    baseUrl: `http://127.0.0.1:${port}`,
    to: 'neighbour',
    tokens: { tokenFor: async (service) => `a token for ${service}` },
    timeoutMs: TIMEOUT_MS,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

test('a neighbour that hangs is called once, so that no answer takes two deadlines', async () => {
  let asked = 0;
  const client = await askNeighbour(() => {
    asked += 1;
  });
  const call = client.post('/work', {}, Answer, { idempotent: true });
  await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked).toBe(1);
});

test('after a broken connection the call is repeated once, if the work may run twice', async () => {
  let asked = 0;
  const client = await askNeighbour((request, response) => {
    asked += 1;
    if (asked === 1) request.socket.destroy();
    else response.end('{"ok":true}');
  });
  expect(await client.post('/work', {}, Answer, { idempotent: true })).toEqual({ ok: true });
  expect(asked).toBe(2);
});

test('the deadline includes waiting for a connection: no call waits twice as long behind a neighbour that hangs', async () => {
  let asked = 0;
  const client = await askNeighbour(() => {
    asked += 1;
  });
  const calls = Array.from({ length: 16 }, () => client.post('/work', {}, Answer));
  for (const settled of await Promise.allSettled(calls)) expect(settled.status).toBe('rejected');
  // Eight connections: without their own deadline the other eight calls would follow the first eight.
  expect(asked).toBeLessThan(16);
});

test('a call beyond the limit is refused at once, instead of waiting behind the others', async () => {
  const answers: (() => void)[] = [];
  const client = await askNeighbour((_request, response) => void answers.push(() => response.end('{"ok":true}')), {
    maxUnderWay: 2,
  });
  const calls = [client.post('/work', {}, Answer), client.post('/work', {}, Answer)];
  await expect(client.post('/work', {}, Answer)).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  await until(() => answers.length === 2);
  for (const answer of answers.splice(0)) answer();
  expect(await Promise.all(calls)).toEqual([{ ok: true }, { ok: true }]);
});

test('an overloaded neighbour is not mistaken for an unavailable one', async () => {
  let isFull = true;
  const client = await askNeighbour((_request, response) => {
    if (isFull) response.writeHead(503, { 'x-vuka-closed-for-ms': '250', 'retry-after': '2' });
    response.end('{"ok":true}');
  });
  for (let call = 0; call < 30; call++) {
    await expect(client.post('/work', {}, Answer)).rejects.toMatchObject({ closedForMs: 250, retryAfterSeconds: 2 });
  }
  isFull = false;
  expect(await client.post('/work', {}, Answer)).toEqual({ ok: true });
});

test('a neighbour that refuses our token, because keys or clocks differ, is unavailable to the user, not forbidden', async () => {
  const refusal = { code: 'forbidden', reason: 'not_a_service', error: 'Only services may ask this.', requestId: '1' };
  const client = await askNeighbour((_request, response) => {
    response.writeHead(403).end(JSON.stringify(refusal));
  });
  await expect(client.post('/work', {}, Answer)).rejects.toMatchObject({ code: 'unavailable', status: 503 });
});

test('what an overloaded neighbour refuses does not keep other calls from it', async () => {
  const overload = { code: 'unavailable', reason: 'overloaded', error: 'Too much is going on.', requestId: '1' };
  const client = await askNeighbour((request, response) => {
    const isRefused = request.url === '/full';
    response.writeHead(isRefused ? 503 : 200).end(JSON.stringify(isRefused ? overload : { ok: true }));
  });
  for (let call = 0; call < 30; call++)
    await expect(client.post('/full', {}, Answer)).rejects.toMatchObject({ reason: 'overloaded' });
  expect(await client.post('/work', {}, Answer)).toEqual({ ok: true });
});

test.each([
  ['with a reason', { reason: 'pin_locked', params: { minutes: 5 } }],
  ['without one, by a process of an earlier release', {}],
])('the refusal of a neighbour, %s, is passed on as it is', async (_what, given) => {
  const refusal = { code: 'too_many_attempts', ...given };
  const client = await askNeighbour((_request, response) => {
    response
      .writeHead(429)
      .end(JSON.stringify({ error: 'Too many wrong PINs.', requestId: '1', tries: 3, ...refusal }));
  });
  const failure = await client.get('/work', Answer).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: 'Too many wrong PINs.', details: { tries: 3 }, ...refusal });
});

test('a call to a neighbour that is being restarted waits for it, also one that may not run twice', async () => {
  const port = await findFreePort();
  const client = clientOf(port);
  const call = client.post('/work', {}, Answer);
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end('{"ok":true}');
  });
  server.listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  expect(await call).toEqual({ ok: true });
  expect(asked).toBe(1);
});

test('a call to a neighbour that stays away is unavailable at its deadline, and once that is known at once', async () => {
  const client = clientOf(await findFreePort());
  const startedMs = performance.now();
  const calls = Array.from({ length: 10 }, () => client.post('/work', {}, Answer));
  for (const settled of await Promise.allSettled(calls)) expect(settled.status).toBe('rejected');
  expect(performance.now() - startedMs).toBeLessThan(2 * TIMEOUT_MS);
  const knownMs = performance.now();
  await expect(client.post('/work', {}, Answer)).rejects.toMatchObject({ code: 'unavailable' });
  expect(performance.now() - knownMs).toBeLessThan(TIMEOUT_MS / 2);
});

test('a call that a starting neighbour has not begun waits for it, also one that may not run twice', async () => {
  let isStarting = true;
  let begun = 0;
  const client = await askNeighbour((_request, response) => {
    if (isStarting) response.writeHead(503, { 'x-vuka-not-begun': 'true' }).end('{"code":"unavailable"}');
    else {
      begun += 1;
      response.end('{"ok":true}');
    }
  });
  const call = client.post('/work', {}, Answer);
  await until(() => client.isAwaited);
  isStarting = false;
  expect(await call).toEqual({ ok: true });
  expect(begun).toBe(1);
  expect(client.isAwaited).toBe(false);
});
