import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTcpProxy, type TcpProxy } from '../src/tcp-proxy.ts';
import { until } from '../src/until.ts';

const arrived: string[] = [];
const server = createServer(async (incoming, answer) => {
  const body = await bodyOf(incoming);
  arrived.push(`${incoming.method} ${body}`);
  answer.end(`answer to ${body}`);
});
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let proxy: TcpProxy;

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function send(method: string, body: string): Promise<string> {
  const outgoing = request({ host: '127.0.0.1', port: proxy.port, method, agent }).end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return bodyOf(answer);
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await createTcpProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
});

beforeEach(() => {
  proxy.restore();
  arrived.length = 0;
});

afterAll(async () => {
  agent.destroy();
  await proxy.close();
  server.close();
  server.closeAllConnections();
});

test('a POST arrives twice, at once or later, each caller gets one answer, and nothing else is repeated', async () => {
  const long = 'a'.repeat(200_000);
  proxy.repeatPosts();
  expect(await send('POST', long)).toBe(`answer to ${long}`);
  expect(await send('PUT', 'b')).toBe('answer to b');
  proxy.repeatPosts(20);
  expect(await send('POST', 'c')).toBe('answer to c');
  expect(await send('POST', 'd')).toBe('answer to d');
  await until(() => arrived.length === 7);
  proxy.restore();
  expect(await send('POST', 'e')).toBe('answer to e');
  expect(arrived.toSorted()).toEqual(
    [`POST ${long}`, `POST ${long}`, 'PUT b', 'POST c', 'POST c', 'POST d', 'POST d', 'POST e'].toSorted(),
  );
});

test('a slow network delivers everything, in order, and later', async () => {
  proxy.slow(40);
  const startedMs = performance.now();
  expect(await send('POST', 'f')).toBe('answer to f');
  expect(performance.now() - startedMs).toBeGreaterThan(75);
  const long = 'g'.repeat(300_000);
  const sent = send('POST', long);
  proxy.slow(1);
  expect(await sent).toBe(`answer to ${long}`);
});

test('a starved connection delivers everything, a few bytes at a time, and the rest at once when it is healed', async () => {
  const startedMs = performance.now();
  proxy.starve(400);
  expect(await send('POST', 'j'.repeat(40))).toBe(`answer to ${'j'.repeat(40)}`);
  expect(performance.now() - startedMs).toBeGreaterThan(500);
  const long = 'k'.repeat(100_000);
  const sent = send('POST', long);
  await until(() => proxy.connectionCount() > 0);
  proxy.restore();
  expect(await sent).toBe(`answer to ${long}`);
});

test('a forgotten connection is silent in both directions and stays open, while a new one works', async () => {
  expect(await send('POST', 'l')).toBe('answer to l');
  proxy.forget();
  const unheard = send('POST', 'm');
  const other = await fetch(`http://127.0.0.1:${proxy.port}`, { method: 'POST', body: 'n' });
  expect(await other.text()).toBe('answer to n');
  expect(arrived).toEqual(['POST l', 'POST n']);
  proxy.restore();
  await expect(unheard).rejects.toThrow();
  expect(arrived).toEqual(['POST l', 'POST n']);
});

test('a lost request never arrives, and a lost answer is to a request that was handled', async () => {
  proxy.dropRequests();
  const unheard = send('POST', 'h');
  await expect(Promise.race([unheard, until(() => arrived.length > 0, { timeoutMs: 100 })])).rejects.toThrow(
    'Not within',
  );
  proxy.cut();
  await expect(unheard).rejects.toThrow();
  proxy.restore();
  proxy.dropAnswers();
  const unanswered = send('POST', 'i');
  await until(() => arrived.includes('POST i'));
  proxy.cut();
  await expect(unanswered).rejects.toThrow();
  expect(arrived).toEqual(['POST i']);
});

test('each new connection goes where the target is then', async () => {
  const other = createServer((_, answer) => answer.end('another server'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  let target = (server.address() as AddressInfo).port;
  const moving = await createTcpProxy(() => ({ host: '127.0.0.1', port: target }));
  const ask = async () => (await fetch(`http://127.0.0.1:${moving.port}`, { headers: { connection: 'close' } })).text();
  expect(await ask()).toBe('answer to ');
  target = (other.address() as AddressInfo).port;
  expect(await ask()).toBe('another server');
  await moving.close();
  other.close();
});
