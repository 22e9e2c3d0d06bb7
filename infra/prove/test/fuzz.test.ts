import { expect, test } from 'vitest';
import { runFuzz } from '#run-fuzz.ts';

test('any request by any actor gets a clear answer without internal details, and the books hold', {
  timeout: 600_000,
}, async () => {
  const { findings, requests, operations, answers } = await runFuzz({ seed: 3, requests: 500, say: () => undefined });
  expect(findings).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(500);
  expect(operations).toBeGreaterThan(50);
  for (const status of ['200', '400', '401', '403', '404']) expect(answers).toHaveProperty(status);
});
