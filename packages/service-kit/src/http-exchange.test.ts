import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { type ExchangeRequest, exchange } from './http-exchange.ts';

/** A neighbour that behaves as the listener does, behind one connection. */
async function createNeighbour(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 1 });
  onTestFinished(async () => {
    await pool.destroy();
    server.closeAllConnections();
    server.close();
  });
  return (request: Partial<ExchangeRequest> = {}) =>
    exchange(pool, { method: 'GET', path: '/', headers: {}, timeoutMs: 20_000, ...request });
}

test('the answer has its status, headers and whole text, also if a character arrives in two pieces', async () => {
  const [head, tail] = [Buffer.from('{"to":"Zü').subarray(0, -1), Buffer.from('Zü"}').subarray(2)];
  const ask = await createNeighbour((_request, response) => {
    response.writeHead(201, { 'x-loaves': '2' }).write(head);
    response.end(tail);
  });
  expect(await ask()).toMatchObject({ status: 201, headers: { 'x-loaves': '2' }, text: '{"to":"Zü"}' });
});

test('a byte order mark is no part of the text', async () => {
  const ask = await createNeighbour((_request, response) => response.end('\u{feff}{}'));
  expect((await ask()).text).toBe('{}');
});

test('the deadline also ends a request that waits for a connection, and it is never sent', async () => {
  const asked: string[] = [];
  const [hanging, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ask = await createNeighbour(async ({ url = '' }, response) => {
    asked.push(url);
    hanging.resolve();
    await answers.promise;
    response.end();
  });
  const first = ask({ path: '/first' });
  await hanging.promise;
  await expect(ask({ path: '/second', timeoutMs: 20 })).rejects.toMatchObject({ name: 'TimeoutError' });
  answers.resolve();
  await first;
  await ask({ path: '/third' });
  expect(asked).toEqual(['/first', '/third']);
});

test('a request that may not start is not sent', async () => {
  let asked = 0;
  const ask = await createNeighbour((_request, response) => {
    asked += 1;
    response.end();
  });
  await expect(ask({ mayStart: () => false })).rejects.toThrow('too late');
  expect(asked).toBe(0);
});

test('an answer that breaks off is an error, not a shorter text', async () => {
  const ask = await createNeighbour((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"ok":');
    setImmediate(() => response.destroy());
  });
  await expect(ask()).rejects.toThrow();
});
