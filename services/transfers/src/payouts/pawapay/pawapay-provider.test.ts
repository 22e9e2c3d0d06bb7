import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { ProviderCall } from '../payout-provider.ts';
import { createPawapayProvider } from './pawapay-provider.ts';

/** RabbitMQ's default. */
const LONGEST_MESSAGE_BYTES = 16 * 1024 * 1024;
/** The steps of one commit, whose calls are one message. */
const STEPS_AT_ONCE = 500;

test('the longest answers to all inquiries of one commit fit into a message', async () => {
  const answer = JSON.stringify({ status: 'NOT_FOUND', more: '"'.repeat(400_000) });
  const server = createServer((_request, response) => response.end(answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const provider = createPawapayProvider({ baseUrl, token: 'secret', product: 'payout', signedCallbacks: false });
  const calls: ProviderCall[] = [];
  const found = await provider.status('0190a000-0000-4000-8000-000000000001', (call) => calls.push(call));
  await provider.close();
  server.close();
  expect(found).toEqual({ kind: 'not_found' });
  expect(calls).toHaveLength(1);
  const anyOthers = 1_000; // its ids, and the request's own body
  const bytes = Buffer.byteLength(JSON.stringify(calls)) + anyOthers;
  expect(bytes * STEPS_AT_ONCE).toBeLessThan(LONGEST_MESSAGE_BYTES);
});
