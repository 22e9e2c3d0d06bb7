import { pino } from 'pino';
import { expect, test } from 'vitest';
import { cloudEvent } from './cloud-event.ts';
import { uuidv7 } from './ids.ts';
import { traceOf } from './trace.ts';
import { traced, traceparentOf, tracingPart } from './tracing.ts';

test('the trace of a process is its id, so that every message of it carries the same one', () => {
  const id = uuidv7();
  const hex = id.replaceAll('-', '');
  expect(traceOf(id)).toEqual({ traceId: hex, rootSpanId: hex.slice(16) });
  const event = cloudEvent({ source: '/bakery', type: 'loaf.baked.v1', correlationid: id, data: {} });
  expect(event.traceparent).toBe(`00-${hex}-${hex.slice(16)}-00`);
});

test('an id that is no UUID has no trace', () => {
  expect(traceparentOf('order 7')).toBeUndefined();
  const event = cloudEvent({ source: '/bakery', type: 'loaf.baked.v1', correlationid: 'order 7', data: {} });
  expect(event).not.toHaveProperty('traceparent');
});

test('of a share of the processes, each is traced by all services or by none', async () => {
  const ids = Array.from({ length: 2_000 }, () => uuidv7());
  const sampled = () => ids.filter((id) => traceparentOf(id)?.endsWith('-01'));
  const service = { endpoint: 'http://127.0.0.1:9', share: 0.25, logger: pino({ level: 'silent' }) };
  const [bakery, shop] = ['bakery', 'shop'].map((name) => tracingPart({ ...service, service: name }));
  await bakery?.start();
  const first = sampled();
  await bakery?.stop();
  expect(sampled()).toEqual([]);
  await shop?.start();
  expect(sampled()).toEqual(first);
  await shop?.stop();
  expect(first.length).toBeGreaterThan(400);
  expect(first.length).toBeLessThan(600);
});

test('without a receiver work is only done', async () => {
  expect(await traced(uuidv7(), { name: 'bake', kind: 'internal' }, async () => 'bread')).toBe('bread');
});
