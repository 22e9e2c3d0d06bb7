import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidv7 } from '@vuka/service-kit/ids';
import { openTraces } from '@vuka/service-kit/trace-export';
import { until } from '@vuka/test-kit/until';
import { afterEach, expect, test } from 'vitest';

interface Received {
  path: string | undefined;
  spans: Record<string, unknown>[];
  service: string;
}

const SPAN = { name: 'bake a loaf', kind: 'internal', startMs: 1_764_000_000_000, endMs: 1_764_000_000_250 } as const;
const IGNORE = { warn: () => undefined, info: () => undefined };

let receiver: Server | undefined;
afterEach(() => {
  receiver?.close();
  receiver?.closeAllConnections();
});

/** A receiver that answers with what `answer` returns; it never answers 0. */
async function startReceiver(answer: () => number = () => 200) {
  const received: Received[] = [];
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const status = answer();
    if (status === 0) return;
    if (status === 200) {
      const [{ resource, scopeSpans }] = JSON.parse(Buffer.concat(chunks).toString()).resourceSpans;
      received.push({
        path: request.url,
        spans: scopeSpans[0].spans,
        service: resource.attributes[0].value.stringValue,
      });
    }
    response.writeHead(status).end('{}');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  return { received, endpoint: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/otlp/` };
}

test('a span arrives as OTLP: below its process, with its times, values of their types, and why it failed', async () => {
  const { received, endpoint } = await startReceiver();
  const traces = openTraces({ service: 'bakery', endpoint, logger: IGNORE });
  const id = uuidv7();
  const traceId = id.replaceAll('-', '');
  traces.record(id, { ...SPAN, isRoot: true, attributes: { 'http.route': '/"loaves"', loaves: 3, kilos: 0.5 } });
  traces.record(id, { ...SPAN, kind: 'consumer', error: 'burnt' });
  traces.record('order 7', SPAN);
  await traces.close();
  expect(received).toEqual([
    { path: '/otlp/v1/traces', service: 'bakery', spans: [expect.anything(), expect.anything()] },
  ]);
  const [root, child] = received[0]?.spans ?? [];
  expect(root).toEqual({
    traceId,
    spanId: traceId.slice(16),
    name: 'bake a loaf',
    kind: 1,
    flags: 1,
    startTimeUnixNano: '1764000000000000000',
    endTimeUnixNano: '1764000000250000000',
    attributes: [
      { key: 'http.route', value: { stringValue: '/"loaves"' } },
      { key: 'loaves', value: { intValue: '3' } },
      { key: 'kilos', value: { doubleValue: 0.5 } },
    ],
    status: {},
  });
  expect(child).toMatchObject({
    traceId,
    parentSpanId: traceId.slice(16),
    kind: 5,
    status: { code: 2, message: 'burnt' },
  });
  expect(child?.spanId).toMatch(/^[0-9a-f]{16}$/);
});

test('a receiver that refuses costs the spans of that time only, and one line in the log', async () => {
  let status = 503;
  const { received, endpoint } = await startReceiver(() => status);
  const said: string[] = [];
  const say = (_facts: object, line: string) => void said.push(line);
  const traces = openTraces({ service: 'bakery', endpoint, logger: { warn: say, info: say } as typeof IGNORE });
  traces.record(uuidv7(), SPAN);
  await until(() => said.length === 1);
  status = 200;
  traces.record(uuidv7(), SPAN);
  await until(() => received.length === 1);
  await traces.close();
  expect(received[0]?.spans).toHaveLength(1);
  expect(said).toEqual(['traces are not received, and are lost', 'traces are received again']);
});

test('the end of a process waits no more than two seconds for a receiver that hangs', async () => {
  const { endpoint } = await startReceiver(() => 0);
  const traces = openTraces({ service: 'bakery', endpoint, logger: IGNORE });
  traces.record(uuidv7(), SPAN);
  const startedMs = performance.now();
  await traces.close();
  expect(performance.now() - startedMs).toBeLessThan(4_000);
});
