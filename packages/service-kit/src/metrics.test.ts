import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('reports the process and the utilisation of its loop, and nothing that would wake it', async () => {
  const text = await createMetrics('bakery').text();
  expect(text).toMatch(/^process_resident_memory_bytes\{service="bakery"\} \d+$/m);
  const [, utilization] = /^vuka_event_loop_utilization\{service="bakery"\} (\S+)$/m.exec(text) ?? [];
  expect(Number(utilization)).toBeGreaterThan(0);
  expect(Number(utilization)).toBeLessThanOrEqual(1);
  expect(text).not.toMatch(/^nodejs_eventloop_lag_(?:p\d\d|min|max|mean|stddev)_seconds/m);
});

test('counts internal errors, and an answer that an alert expects, from 0: an increase needs a figure before it', async () => {
  const metrics = createMetrics('bakery');
  metrics.expectAnswer('POST', '/loaves', 503);
  const figure = async (name: string, status = '') => {
    const line = new RegExp(`^${name}\\{.*${status}.*\\} (\\d+)$`, 'm').exec(await metrics.text());
    return Number(line?.[1] ?? Number.NaN);
  };
  const figures = async () => [
    await figure('vuka_internal_errors_total'),
    await figure('vuka_http_request_seconds_count', 'status="503"'),
  ];
  expect(await figures()).toEqual([0, 0]);
  metrics.observeRequest('POST', '/loaves', 503, 1);
  metrics.observeRequest('POST', '/loaves', 500, 1);
  expect(await figures()).toEqual([1, 1]);
});
