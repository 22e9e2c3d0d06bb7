import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_PIN, type ApiClient, createApiClient, PIN, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';
import {
  bookEntries,
  openDatabase,
  openStalled,
  type StalledReader,
  sendFiller,
  sendLiveEvent,
  writeFeedEvents,
} from './stalled-readers.ts';

let product: RunningProduct;
let admin: ApiClient;
let gateway: pg.Client;
let transfers: pg.Client;
let wallet: pg.Client;
let pid: number | null | undefined;

beforeAll(async () => {
  product = await startProduct({ VUKA_RATE_LIMIT_FACTOR: '1000' });
  admin = await signInAdmin(product.address);
  const { url } = await askForServer('postgres');
  const open = (name: string) => openDatabase(url, `${product.databasePrefix}_${name}`);
  [gateway, transfers, wallet] = await Promise.all([open('gateway'), open('transfers'), open('wallet')]);
  pid = await gatewayPid();
}, 150_000);
afterAll(async () => {
  await Promise.all([gateway, transfers, wallet].map((client) => client?.end()));
  await product?.stop();
});

const merchant = () => registerMerchant(product.address, admin);
const gatewayPid = async () => (await product.run()).services.gateway?.pid;

async function liveStreams(): Promise<number> {
  const { metricsUrl } = await product.run();
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(/^vuka_live_streams(?:\{.*\})? (\d+)$/m.exec(text)?.[1]);
}

const readers: { close(): void }[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

/** A reader that never stops reading. */
async function openReader(path: string, headers: Record<string, string>) {
  const stopped = new AbortController();
  readers.push({ close: () => stopped.abort() });
  const response = await fetch(product.address + path, { headers, signal: stopped.signal });
  expect(response.status).toBe(200);
  let heard = '';
  const decoder = new TextDecoder();
  const reading = async () => {
    for await (const chunk of response.body ?? []) heard = (heard + decoder.decode(chunk)).slice(-4_096);
  };
  reading().catch(() => undefined);
  return { hears: (what: string) => until(() => heard.includes(what), { what, timeoutMs: 20_000 }) };
}

async function issueKey() {
  const { body } = await admin.post('/api/admin/api-keys', { name: 'Warehouse', pin: ADMIN_PIN });
  return { id: body.apiKey.id as string, headers: { authorization: `Bearer ${body.key}` } };
}

/** A merchant with a live stream, and a program with a feed, that never stop reading. */
async function openBystanders() {
  const { client, user } = await merchant();
  const live = await openReader('/api/events', { cookie: client.cookie });
  const feed = await openReader('/api/feed/transfers', (await issueKey()).headers);
  let sent = 0;
  return {
    async goOn() {
      const event = `still-here-${++sent}`;
      await sendLiveEvent(gateway, user.id, event);
      await live.hears(`${event}\n`);
      await feed.hears(await writeFeedEvents(transfers, 0));
      expect((await client.get(STATEMENT)).body).toContain('Closing balance');
      expect(await gatewayPid()).toBe(pid);
      expect((await fetch(`${product.address}/health/ready`)).status).toBe(200);
    },
  };
}

const today = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10);
const STATEMENT = `/api/statement.csv?from=${today}&to=${today}`;

interface Stream {
  reader: StalledReader;
  /** Sends more than the connection buffers, while the reader does not read. */
  fill(): Promise<void>;
  /** Causes more data to be sent. */
  sendMore(): Promise<void>;
  /** Ends the reader's access. */
  end(): Promise<void>;
  /** The end of a complete answer. */
  lastOfAll?: RegExp;
}

/** The gateway disconnects a reader with more than 256 KB waiting. */
async function openLive(): Promise<Stream> {
  const [own, canary, marker] = await Promise.all([merchant(), merchant(), merchant()]);
  const open = ({ client }: typeof own) => openStalled(product.address, '/api/events', { cookie: client.cookie });
  const reader = await open(own);
  return {
    reader,
    async fill() {
      const heard = await openReader('/api/events', { cookie: marker.client.cookie });
      await open(canary);
      const before = await liveStreams();
      // The canary is 128 KB ahead. When it is disconnected, the other reader has data waiting.
      for (let sent = 0; (await liveStreams()) === before; sent += 1) {
        await sendFiller(gateway, canary.user.id);
        if (sent >= 4) await sendFiller(gateway, own.user.id);
        await sendLiveEvent(gateway, marker.user.id, `after-${sent}`);
        await heard.hears(`after-${sent}\n`);
      }
    },
    sendMore: () => sendFiller(gateway, own.user.id),
    async end() {
      const before = await liveStreams();
      await own.client.post('/api/logout');
      await until(async () => (await liveStreams()) < before, { timeoutMs: 20_000, everyMs: 100, what: 'its end' });
    },
  };
}

async function openFeed(): Promise<Stream> {
  const key = await issueKey();
  return {
    reader: await openStalled(product.address, '/api/feed/transfers', key.headers),
    fill: async () => void (await writeFeedEvents(transfers, 400)),
    sendMore: async () => void (await writeFeedEvents(transfers, 1)),
    end: async () => void (await admin.post(`/api/admin/api-keys/${key.id}/revoke`)),
  };
}

/** One merchant for all tests: writing that many entries again would keep the database's disk busy. */
let longStatement: Promise<string> | undefined;
async function bookLongStatement(): Promise<string> {
  const { user } = await merchant();
  await bookEntries(wallet, user.id, 120_000);
  return user.email;
}

async function openStatement(): Promise<Stream> {
  longStatement ??= bookLongStatement();
  const client = createApiClient(product.address);
  await client.post('/api/login', { username: await longStatement, pin: PIN });
  return {
    reader: await openStalled(product.address, STATEMENT, { cookie: client.cookie }),
    fill: async () => undefined,
    sendMore: async () => undefined,
    end: async () => void (await client.post('/api/logout')),
    lastOfAll: /Closing balance|\r\n0\r\n\r\n$/,
  };
}

describe.each([
  ['live events', openLive],
  ['the feed', openFeed],
  ['a statement as a file', openStatement],
])('a reader of %s', (_what, openStream) => {
  test('a reader that stops reading delays no others', async () => {
    const bystanders = await openBystanders();
    const stream = await openStream();
    await stream.fill();
    await stream.sendMore();
    await bystanders.goOn();
    stream.reader.reset();
    await bystanders.goOn();
  }, 60_000);

  test('a stalled reader that loses its access is disconnected, without the rest', async () => {
    const bystanders = await openBystanders();
    const stream = await openStream();
    await stream.fill();
    await bystanders.goOn();
    await stream.end();
    await stream.sendMore();
    await stream.sendMore();
    await bystanders.goOn();
    const heard = await stream.reader.readOn();
    // Not the text itself, which would put megabytes into a failure's message.
    expect(stream.lastOfAll?.test(heard) ?? false).toBe(false);
    await bystanders.goOn();
  }, 60_000);

  test('a reader that resets the connection in the middle delays no others', async () => {
    const bystanders = await openBystanders();
    const stream = await openStream();
    await stream.fill();
    stream.reader.reset();
    await stream.sendMore();
    await bystanders.goOn();
  }, 60_000);

  test('a reader that closes its half of the connection delays no others', async () => {
    const bystanders = await openBystanders();
    const stream = await openStream();
    stream.reader.halfClose();
    await stream.fill();
    await stream.sendMore();
    await bystanders.goOn();
    stream.reader.reset();
    await bystanders.goOn();
  }, 60_000);
});
