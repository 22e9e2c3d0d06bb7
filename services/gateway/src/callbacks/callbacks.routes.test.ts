import { once } from 'node:events';
import { request as send } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { CallbackAnswer, ProviderCallback } from '@vuka/contracts/internal/transfers';
import { createHttpApp, type HttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callbackRoutes } from './callbacks.routes.ts';

const PATH = '/api/callbacks/pawapay';
const GENUINE = { 'content-type': 'application/json', 'x-genuine': 'yes' };

let app: HttpApp;
let url: string;
let batches: ProviderCallback[][];
/** Delays the answers of transfers. */
let gate: Promise<void>;

/** A gateway behind one proxy, in front of a transfers service that accepts callbacks marked as genuine. */
beforeEach(async () => {
  batches = [];
  gate = Promise.resolve();
  const judge = ({ headers }: ProviderCallback): CallbackAnswer => ({ status: headers['x-genuine'] ? 200 : 401 });
  const transfers = {
    async post(_path: string, { items }: { items: ProviderCallback[] }) {
      batches.push(items);
      await gate;
      return { results: items.map(judge) };
    },
  } as unknown as ServiceClient;
  const logger = createLogger({ service: 'gateway-test', level: 'silent' });
  app = createHttpApp({ service: 'gateway-test', logger, checks: {}, server: { trustProxy: 'loopback' } });
  callbackRoutes(app, { transfers });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

const call = (from: string, headers: Record<string, string> = {}, body: string | Buffer = '{}') =>
  fetch(url + PATH, { method: 'POST', headers: { 'x-forwarded-for': from, ...headers }, body });
const statusesOf = async (answers: Promise<Response>[]) => (await Promise.all(answers)).map(({ status }) => status);

async function makeSuspect(address: string): Promise<void> {
  const refused = await statusesOf(Array.from({ length: 20 }, () => call(address)));
  expect(new Set(refused)).toEqual(new Set([401]));
}

test('a callback reaches transfers unchanged: path, headers, raw bytes', async () => {
  const { status } = await call('203.0.113.1', GENUINE, Buffer.from([0x7b, 0x20, 0xff, 0x7d]));
  expect(status).toBe(200);
  expect(batches.flat()).toMatchObject([
    { provider: 'pawapay', method: 'POST', path: PATH, headers: GENUINE, bodyBase64: 'eyD/fQ==' },
  ]);
});

test('a body of more than 16 KB is refused, and transfers is not asked', async () => {
  expect((await call('203.0.113.1', GENUINE, 'x'.repeat(16 * 1_024))).status).toBe(200);
  expect((await call('203.0.113.1', GENUINE, 'x'.repeat(16 * 1_024 + 1))).status).toBe(413);
  expect(batches.flat()).toHaveLength(1);
});

test('a body whose Content-Length is too large is refused before it is sent', async () => {
  const headers = { 'content-length': '60000' };
  const request = send(url + PATH, { method: 'POST', headers }).on('error', () => undefined);
  request.flushHeaders();
  const [answer] = await once(request, 'response');
  expect(answer.statusCode).toBe(413);
  request.destroy();
});

test('of a suspect address four callbacks are checked at a time, apart from the others, 32 wait, the rest are refused', async () => {
  await makeSuspect('203.0.113.1');
  batches = [];
  const open = Promise.withResolvers<void>();
  gate = open.promise;
  const first = call('203.0.113.1');
  while (batches.length === 0) await turn();
  const flood = Array.from({ length: 40 }, () => call('203.0.113.1'));
  const excess = await Promise.race(flood);
  expect(excess.status).toBe(429);
  expect(Number(excess.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await excess.json()).toMatchObject({ code: 'rate_limited' });
  const bystander = call('203.0.113.2', GENUINE);
  while (batches.length === 1) await turn();
  open.resolve();
  const statuses = await statusesOf([first, ...flood]);
  expect(statuses.filter((status) => status === 401)).toHaveLength(33);
  expect(statuses.filter((status) => status === 429)).toHaveLength(8);
  expect((await bystander).status).toBe(200);
  expect(batches[1]).toMatchObject([{ headers: GENUINE }]);
  for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(4);
});

test('the addresses of one IPv6 network are one suspect', async () => {
  await statusesOf(Array.from({ length: 20 }, (_, host) => call(`2001:db8:1:2::${host}`)));
  batches = [];
  await statusesOf(Array.from({ length: 20 }, (_, host) => call(`2001:db8:1:2::ff:${host}`)));
  await statusesOf(Array.from({ length: 20 }, (_, host) => call(`2001:db8:${host}::1`)));
  const sizes = (network: RegExp) =>
    batches.filter(([first]) => network.test(first?.headers['x-forwarded-for'] ?? '')).map(({ length }) => length);
  expect(Math.max(...sizes(/:2::ff:/))).toBeLessThanOrEqual(4);
  expect(Math.max(...sizes(/::1$/))).toBeGreaterThan(4);
});

test('a genuine callback from a suspect address is accepted', async () => {
  await makeSuspect('203.0.113.1');
  expect((await call('203.0.113.1', GENUINE)).status).toBe(200);
});

test('oversized bodies also make an address suspect, an unavailable service does not', async () => {
  const long = 'x'.repeat(17 * 1_024);
  await statusesOf(Array.from({ length: 20 }, () => call('203.0.113.1', {}, long)));
  batches = [];
  await statusesOf(Array.from({ length: 10 }, () => call('203.0.113.1', GENUINE)));
  for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(4);
});

test('200 concurrent callbacks of the largest size are batched within the body limit of transfers', async () => {
  const filler = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`x-filler-${index}`, '"'.repeat(1_000)]));
  const open = Promise.withResolvers<void>();
  gate = open.promise;
  const body = 'x'.repeat(16 * 1_024);
  const answers = Array.from({ length: 200 }, () => call('203.0.113.1', { ...GENUINE, ...filler }, body));
  while (batches.length < 2) await turn();
  open.resolve();
  expect(new Set(await statusesOf(answers))).toEqual(new Set([200]));
  for (const items of batches) expect(JSON.stringify({ items }).length).toBeLessThan(2 * 1_024 * 1_024);
});
