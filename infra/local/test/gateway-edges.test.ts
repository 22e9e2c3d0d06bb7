import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, createApiClient, PIN, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

/** Behind one proxy, which appends its client's address to the forwarded header. */
let product: RunningProduct;
let admin: ApiClient;
let merchant: ApiClient;
beforeAll(async () => {
  product = await startProduct({ VUKA_TRUST_PROXY: 'true' });
  admin = await signInAdmin(product.address);
  merchant = (await registerMerchant(product.address, admin, {})).client;
}, 90_000);
afterAll(() => product?.stop());

function signIn(username: string, pin: string, forwardedFor: string) {
  return createApiClient(product.address).post('/api/login', { username, pin }, { 'x-forwarded-for': forwardedFor });
}

/** Polls slowly: above its rate limit an address gets a 429, which says nothing about the service behind. */
async function untilSignInWorks(forwardedFor: string): Promise<void> {
  const isAnswered = async () => (await signIn('nobody@example.net', '8642', forwardedFor)).status === 401;
  await until(isAnswered, { timeoutMs: 60_000, everyMs: 2_000, what: 'sign-in is available again' });
}

test('a client that forges addresses is limited by the one that the proxy saw', async () => {
  const answers = await Promise.all(
    Array.from({ length: 70 }, (_, index) => signIn('nobody@example.com', '1357', `198.51.100.${index}, 203.0.113.9`)),
  );
  expect(answers.filter(({ body }) => body.code === 'rate_limited')).toHaveLength(10);
  // On a busy machine sixty parallel sign-ins may exceed the deadline, which makes sign-in unavailable for a second.
  await untilSignInWorks('203.0.113.8');
});

test('delayed sign-ins do not delay signed-in users', async () => {
  const sprayed = '7391';
  for (let account = 0; account < 10; account++) {
    const { status } = await signIn(`account${account}@example.com`, sprayed, `203.0.113.${account + 10}`);
    expect(status).toBe(401);
  }
  let answered = 0;
  const slowed = Array.from({ length: 45 }, (_, account) =>
    signIn(`account${account}@example.org`, sprayed, `203.0.113.${account + 30}`).then(() => answered++),
  );
  let reads = 0;
  for (; reads < 10 && answered === 0; reads++) expect((await merchant.get('/api/balances')).status).toBe(200);
  expect(reads, 'reads before the first delayed sign-in was answered').toBeGreaterThan(1);
  const { client: other } = await registerMerchant(product.address, admin, {});
  expect((await other.get('/api/user')).status).toBe(200);
  await Promise.all(slowed);
  // As above: registrations of the next tests would be unavailable for that second, too.
  await untilSignInWorks('203.0.113.99');
});

test('a user opens ten live streams, also when they are requested at once', async () => {
  const { client } = await registerMerchant(product.address, admin, {});
  const stopped = new AbortController();
  const headers = { cookie: client.cookie, 'last-event-id': '0' };
  const open = () => fetch(`${product.address}/api/events`, { headers, signal: stopped.signal });
  const answers = await Promise.all(Array.from({ length: 30 }, open));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  stopped.abort();
});

test('answers that wait behind a live stream on one connection delay nobody’s writing calls', async () => {
  const { user } = await registerMerchant(product.address, admin, {});
  const [own, ending] = [createApiClient(product.address), createApiClient(product.address)];
  for (const client of [own, ending]) await client.post('/api/login', { username: user.email, pin: PIN });
  const { hostname, port } = new URL(product.address);
  const socket = connect({ host: hostname, port: Number(port) });
  const from = `host: ${hostname}:${port}\r\nx-forwarded-for: 203.0.113.200\r\n`;
  const post = (path: string, cookie = '') =>
    `POST ${path} HTTP/1.1\r\n${from}cookie: ${cookie}\r\ncontent-length: 0\r\n\r\n`;
  socket.write(`GET /api/events HTTP/1.1\r\n${from}cookie: ${own.cookie}\r\n\r\n`);
  await once(socket, 'data');
  socket.write(post('/api/sessions/end-others').repeat(250) + post('/api/logout', ending.cookie));
  await until(async () => (await ending.get('/api/user')).status === 401, { what: 'the last call is carried out' });
  expect((await own.patch('/api/profile', { defaultCurrency: 'TZS' })).status).toBe(200);
  socket.destroy();
});

test('personal answers are never cached, public ones may be', async () => {
  for (const path of ['/api/user', '/api/balances', '/api/transactions', '/api/rates', '/api/nothing'])
    expect((await merchant.get(path)).headers.get('cache-control')).toBe('no-store');
  expect((await merchant.get('/auth')).headers.get('cache-control')).toBe('no-cache');
});

test.each(['/', '/auth', '/dashboard', '/transaction/1'])('HEAD of %s is answered like its page', async (path) => {
  const { status, headers } = await fetch(`${product.address}${path}`, { method: 'HEAD' });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});

test('a link on another site cannot write a log entry on behalf of an administrator', async () => {
  const generate = (site: string) =>
    admin.get('/api/integration-logs/recent?generate=true', { 'sec-fetch-site': site });
  const count = async () => (await admin.get('/api/integration-logs/recent')).body.logs.length;
  const before = await count();
  expect((await generate('cross-site')).body.code).toBe('forbidden');
  expect(await count()).toBe(before);
  expect((await generate('same-origin')).status).toBe(200);
});

test('the API description has the media type of answers that are not JSON', async () => {
  const { paths } = (await admin.get('/api/openapi.json')).body;
  for (const [path, type] of [
    ['/api/statement.csv', 'text/csv'],
    ['/api/events', 'text/event-stream'],
    ['/api/feed/transfers', 'text/event-stream'],
  ] as const)
    expect(Object.keys(paths[path].get.responses['200'].content)).toEqual([type]);
  for (const operations of Object.values<Record<string, { responses: object }>>(paths))
    for (const { responses } of Object.values(operations))
      expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true);
});
