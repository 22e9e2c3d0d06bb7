import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, order, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

interface Span {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
}

/** The spans of one transfer to a phone, from the order to the event on the page. */
const WHOLE_WAY = [
  ['gateway', 'POST /api/transactions/create'],
  ['gateway', 'check session and PIN'],
  ['transfers', 'accept the order'],
  ['transfers', 'ask the wallet: hold'],
  ['wallet', 'book: hold'],
  ['transfers', 'publish transfer.created.v1'],
  ['transfers', 'publish transfer.execute.v1'],
  ['transfers-worker', 'handle transfer.execute.v1'],
  ['transfers-worker', 'ask the provider: pay'],
  ['transfers-worker', 'publish transfer.processing.v1'],
  ['transfers', 'commit the callback'],
  ['transfers', 'ask the wallet: capture'],
  ['wallet', 'book: capture'],
  ['transfers', 'publish transfer.settled.v1'],
  ['gateway', 'handle transfer.settled.v1'],
  ['admin', 'handle transfer.settled.v1'],
].map((span) => span.join(': '));

const spans: Span[] = [];
let receiver: Server;
let product: RunningProduct;
let amina: ApiClient;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    keep(JSON.parse(Buffer.concat(chunks).toString()));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  product = await startProduct({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    SIMULATOR_DELAY_MS: '200',
  });
  amina = (await registerMerchant(product.address, await signInAdmin(product.address))).client;
}, 240_000);

afterAll(async () => {
  await product?.stop();
  receiver?.close();
}, 60_000);

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: Omit<Span, 'service'>[] }[];
  }[];
}

function keep({ resourceSpans }: Export): void {
  for (const { resource, scopeSpans } of resourceSpans) {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ ...span, service });
  }
}

test('one transfer is one trace, from the request to the provider and back, and none of its spans is missing', async () => {
  const { body } = await amina.post('/api/transactions/create', order());
  const { id } = body.transaction;
  const traceId = id.replaceAll('-', '');
  const named = () =>
    spans.filter((span) => span.traceId === traceId).map(({ service, name }) => `${service}: ${name}`);
  await until(() => WHOLE_WAY.every((name) => named().includes(name)), { timeoutMs: 30_000 }).catch(() => undefined);
  expect(named().toSorted()).toEqual(expect.arrayContaining(WHOLE_WAY.toSorted()));
  const ofTrace = spans.filter((span) => span.traceId === traceId);
  const roots = ofTrace.filter(({ parentSpanId }) => !parentSpanId);
  expect(roots.map(({ name }) => name)).toEqual(['POST /api/transactions/create']);
  for (const { parentSpanId } of ofTrace) expect([undefined, '', roots[0]?.spanId]).toContain(parentSpanId);
});

test('each step of a transfer is one line in the log, with its trace, and the first has the id of the request', async () => {
  const { body, headers } = await amina.post('/api/transactions/create', order());
  const transferId = body.transaction.id;
  const lines = async () => {
    const files = ['transfers', 'transfers-worker'].map((name) => join(product.dataDir, 'logs', `${name}.log`));
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const ofTransfer = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes(transferId));
    return ofTransfer.map((line) => JSON.parse(line)).toSorted((one, other) => (one.time < other.time ? -1 : 1));
  };
  await until(async () => (await lines()).at(-1)?.step === 'settled', { timeoutMs: 30_000 });
  const written = await lines();
  expect(written.map(({ msg, step }) => [msg, step])).toEqual([
    ['accepted an order', 'created'],
    ['a transfer took a step', 'paying_out'],
    ['a transfer took a step', 'capturing'],
    ['a transfer took a step', 'settled'],
  ]);
  expect(written[0].requestId).toBe(headers.get('x-request-id'));
  for (const line of written) expect(line.traceId).toBe(transferId.replaceAll('-', ''));
  expect(new Set(written.map(({ service }) => service))).toEqual(new Set(['transfers', 'transfers-worker']));
});
