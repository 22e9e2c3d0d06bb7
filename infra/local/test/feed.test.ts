import { WrittenCloudEvent } from '@vuka/contracts/cloud-event';
import { TransferChanged } from '@vuka/contracts/messages/transfers';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN_PIN, type ApiClient, createApiClient, order, registerMerchant, signInAdmin } from './api-client.ts';
import { openBooks } from './books.ts';
import { type RunningProduct, startProduct } from './product.ts';

const FEED = '/api/feed/transfers';
const SETTLED = 'transfer.settled.v1';
const WHOLE_WAY = ['transfer.created.v1', 'transfer.processing.v1', SETTLED];

let product: RunningProduct;
let admin: ApiClient;
let amina: ApiClient;
let readers: { close(): void }[] = [];

beforeAll(async () => {
  product = await startProduct({ SIMULATOR_DELAY_MS: '50' });
  admin = await signInAdmin(product.address);
  amina = (await registerMerchant(product.address, admin)).client;
}, 120_000);
afterEach(() => {
  for (const reader of readers) reader.close();
  readers = [];
});
afterAll(() => product?.stop());

async function issueKey(): Promise<{ key: string; id: string }> {
  const { status, body } = await admin.post('/api/admin/api-keys', { name: 'Warehouse', pin: ADMIN_PIN });
  expect(status).toBe(201);
  return { key: body.key, id: body.apiKey.id };
}

async function transfer(): Promise<string> {
  const { status, body } = await amina.post('/api/transactions/create', order());
  expect(status).toBe(201);
  return body.transaction.id;
}

const ask = (key: string, query = '', headers: Record<string, string> = {}) =>
  createApiClient(product.address).get(`${FEED}${query}`, { authorization: `Bearer ${key}`, ...headers });

interface Block {
  id: string | undefined;
  name: string | undefined;
  data: string | undefined;
}
interface FeedEvent extends Block {
  event: WrittenCloudEvent;
}

/** A program that reads the feed: its events, and the position that it would resume from. */
async function openFeed(key: string, { query = '', after }: { query?: string; after?: string | undefined } = {}) {
  const closed = new AbortController();
  const response = await fetch(`${product.address}${FEED}${query}`, {
    headers: { authorization: `Bearer ${key}`, ...(after === undefined ? {} : { 'last-event-id': after }) },
    signal: closed.signal,
  });
  expect(response.status).toBe(200);
  const blocks = readBlocks(response)[Symbol.asyncIterator]();
  const gaps: unknown[] = [];
  let place = after;

  /** The next event; undefined if the stream ended. */
  async function next(): Promise<FeedEvent | undefined> {
    for (;;) {
      const { value: block, done } = await blocks.next();
      if (done) return undefined;
      place = block.id ?? place;
      if (block.name === 'gap') gaps.push(block.data);
      else if (block.data !== undefined) return { ...block, event: WrittenCloudEvent.parse(JSON.parse(block.data)) };
    }
  }
  const reader = {
    next,
    headers: response.headers,
    gaps,
    place: () => place,
    /** Waits for the position at the start of a stream without events. */
    async begun() {
      while (place === undefined) place = (await blocks.next()).value?.id;
      return place;
    },
    /** The events of one transfer, up to its end. */
    async ofTransfer(id: string): Promise<FeedEvent[]> {
      const received: FeedEvent[] = [];
      while (received.at(-1)?.name !== SETTLED) {
        const one = await next();
        if (!one) throw new Error('the stream ended');
        if (one.event.subject === id) received.push(one);
      }
      return received;
    },
    close: () => closed.abort(),
  };
  readers.push(reader);
  return reader;
}

async function* readBlocks(response: Response): AsyncGenerator<Block, undefined> {
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
        yield { id: field('id'), name: field('event'), data: field('data') };
      }
    }
  } catch {
    // A disconnected reader reconnects in the same way as one that the gateway released.
  }
  return undefined;
}

test('a program gets the events of transfers in order, as CloudEvents, and misses none while it is disconnected', async () => {
  const { key } = await issueKey();
  const reader = await openFeed(key);
  expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(reader.headers.get('cache-control')).toBe('no-store');
  const first = await transfer();
  const received = await reader.ofTransfer(first);
  expect(received.map(({ name }) => name)).toEqual(WHOLE_WAY);
  for (const { name, event } of received) {
    expect(event).toMatchObject({
      specversion: '1.0',
      type: `africa.vuka.${name}`,
      dataschema: `urn:vuka:${name}`,
      sequence: expect.stringMatching(/^\d{10}$/),
      subject: first,
      datacontenttype: 'application/json',
    });
    expect(TransferChanged.parse(event.data)).toMatchObject({ transferId: first, sourceAmount: '1000.00' });
  }
  reader.close();

  const second = await transfer();
  await until(async () => (await amina.get(`/api/transactions/${second}`)).body.transaction.status === 'SETTLED');
  const resumed = await openFeed(key, { after: received.at(-1)?.id });
  expect((await resumed.ofTransfer(second)).map(({ name }) => name)).toEqual(WHOLE_WAY);

  const fromMiddle = await openFeed(key, { after: received[0]?.id });
  expect((await fromMiddle.ofTransfer(first)).map(({ event }) => event)).toEqual(
    received.slice(1).map(({ event }) => event),
  );
  const oldest = await openFeed(key, { query: '?from=oldest' });
  expect((await oldest.ofTransfer(first)).map(({ event }) => event)).toEqual(received.map(({ event }) => event));
});

test('a program disconnected before its first event resumes from where it began', async () => {
  const { key } = await issueKey();
  const reader = await openFeed(key);
  const place = await reader.begun();
  reader.close();
  const id = await transfer();
  await until(async () => (await amina.get(`/api/transactions/${id}`)).body.transaction.status === 'SETTLED');
  const resumed = await openFeed(key, { after: place });
  expect((await resumed.ofTransfer(id)).map(({ name }) => name)).toEqual(WHOLE_WAY);
});

test('a program that reconnects too late gets one gap event, and one in time gets none', async () => {
  const { key } = await issueKey();
  const reader = await openFeed(key);
  const [missed] = await reader.ofTransfer(await transfer());
  await forgetPublished();
  const inTime = await openFeed(key);
  await inTime.begun();
  const id = await transfer();
  await inTime.ofTransfer(id);
  expect(inTime.gaps).toEqual([]);
  const late = await openFeed(key, { after: missed?.id });
  await late.ofTransfer(id);
  expect(late.gaps).toEqual([
    '{"message":"Events may be missing: deleted after 7 days, or lost by a restore or a failover. All that are kept follow."}',
  ]);
});

/** Simulates that 7 days have passed. */
async function forgetPublished(): Promise<void> {
  const { url } = await askForServer('postgres');
  const books = await openBooks(url, product.databasePrefix);
  const forget = async () => {
    await books.query('delete from outbox where published_at is not null');
    return (await books.query('select from outbox')).rowCount === 0;
  };
  await until(forget).finally(() => books.end());
}

test('it can only be read with a valid key, not with a wrong one, and not with a session', async () => {
  const wrong = `vuka_${'x'.repeat(43)}`;
  const answers = [
    await createApiClient(product.address).get(FEED),
    await ask(wrong),
    await amina.get(FEED),
    await admin.get(FEED),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
});

test('a key opens nothing else, and the refusal says what to do', async () => {
  const { key } = await issueKey();
  const answer = await createApiClient(product.address).get('/api/balances', { authorization: `Bearer ${key}` });
  expect(answer).toMatchObject({
    status: 401,
    body: {
      code: 'unauthenticated',
      error: 'This call needs a session: sign in with POST /api/login. An API key opens only the transfer feed.',
    },
  });
});

test('a foreign position and an invalid start are refused with a message', async () => {
  const { key } = await issueKey();
  const places = ['yesterday', '0-1', '9999999999999-1-0', `${'9'.repeat(20)}-1-1`];
  for (const place of [...places, ...places, ...places]) {
    expect(await ask(key, '', { 'last-event-id': place })).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        error: 'Last-Event-ID is not of this feed: leave it out, and read from=oldest',
      },
    });
  }
  expect(await ask(key, '?from=yesterday')).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', error: 'from must be oldest or now' },
  });
});

test('one key opens five streams, and another one after closing one of them', async () => {
  const { key } = await issueKey();
  const [first] = await Promise.all(Array.from({ length: 5 }, () => openFeed(key)));
  const refused = await ask(key);
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.headers.get('retry-after')).toBe('30');
  await openFeed((await issueKey()).key);
  first?.close();
  const reopened = await until(() => openFeed(key).catch(() => undefined));
  const id = await transfer();
  expect(await reopened.ofTransfer(id)).toHaveLength(3);
});

test('while transfers is unavailable an open stream waits, and a new one is refused', async () => {
  const { key } = await issueKey();
  const reader = await openFeed(key);
  await reader.begun();
  await product.kill('transfers', 'SIGSTOP');
  try {
    const refused = await ask(key);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await product.kill('transfers', 'SIGCONT');
  }
  const id = await until(() => transfer().catch(() => undefined));
  expect((await reader.ofTransfer(id)).map(({ name }) => name)).toEqual(WHOLE_WAY);
});

test('a stopping gateway ends its streams, and readers resume with another gateway', async () => {
  const { key } = await issueKey();
  const reader = await openFeed(key);
  const id = await transfer();
  await reader.ofTransfer(id);
  await product.kill('gateway', 'SIGTERM');
  while (await reader.next());
  const resumed = await until(() => openFeed(key, { after: reader.place() }).catch(() => undefined), {
    timeoutMs: 20_000,
  });
  const next = await until(() => transfer().catch(() => undefined));
  expect(await resumed.ofTransfer(next)).toHaveLength(3);
});

test('a revoked key is refused at once, and its open stream ends within 15 s', async () => {
  const { key, id } = await issueKey();
  const reader = await openFeed(key);
  await reader.begun();
  const revokedAt = Date.now();
  expect((await admin.post(`/api/admin/api-keys/${id}/revoke`)).status).toBe(200);
  expect((await ask(key)).status).toBe(401);
  while (await reader.next());
  expect(Date.now() - revokedAt).toBeLessThan(17_000);
});
