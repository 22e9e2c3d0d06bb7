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
