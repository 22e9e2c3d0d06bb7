import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@vuka/test-kit/until';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPawapayHttp } from '#payouts/pawapay/pawapay-http.ts';
import { createPawapayProvider } from '#payouts/pawapay/pawapay-provider.ts';
import type { ProviderCall } from '#payouts/payout-provider.ts';
import { createTransfers, type Transfers } from './harness.ts';
import { payoutTo, TOKEN } from './pawapay-world.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

function providerAt(baseUrl: string, timeoutMs = 1_000) {
  return createPawapayProvider({ baseUrl, token: TOKEN, product: 'payout', signedCallbacks: true, timeoutMs });
}

async function submitTo(provider: ReturnType<typeof providerAt>) {
  const calls: ProviderCall[] = [];
  const { id, body } = payoutTo(provider);
  const { kind } = await provider.submit(id, body, (call) => calls.push(call));
  return { kind, calls: calls.length };
}

test.each([
  ['a connection that is refused', 'http://127.0.0.1:1'],
  ['a name that does not resolve', 'http://provider.invalid'],
])('with %s nothing is sent and no call is recorded', async (_what, baseUrl) => {
  const provider = providerAt(baseUrl);
  expect(await submitTo(provider)).toEqual({ kind: 'not_sent', calls: 0 });
  await provider.close();
});

test('with a hanging provider, requests that reached it are ambiguous and the others are not sent', async () => {
  let reached = 0;
  const server = createServer(() => {
    reached += 1;
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const provider = providerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const results = await Promise.all(Array.from({ length: 200 }, () => submitTo(provider)));
  const count = (kind: string) => results.filter((result) => result.kind === kind).length;
  expect(reached).toBeGreaterThan(0);
  expect(count('ambiguous')).toBeGreaterThanOrEqual(reached);
  expect(count('not_sent')).toBeGreaterThan(0);
  expect(count('ambiguous') + count('not_sent')).toBe(200);
  expect(results.reduce((sum, { calls }) => sum + calls, 0)).toBe(count('ambiguous'));
  await provider.close();
});

test('a request that waited too long for a connection is not sent when it gets one', async () => {
  const arrived: ServerResponse[] = [];
  const server = createServer((_request, response) => arrived.push(response)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const http = createPawapayHttp({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: TOKEN,
    connections: 1,
  });
  const first = http.request('POST', '/one', { body: '{}' });
  await until(() => arrived.length === 1);
  let isTooLate = false;
  const late = http.request('POST', '/two', { body: '{}', isTooLate: () => isTooLate });
  isTooLate = true;
  arrived[0]?.end('{}');
  expect(await first).toMatchObject({ answer: { status: 200 } });
  expect(await late).toMatchObject({ isSent: false });
  expect(arrived).toHaveLength(1);
  await http.close();
});

test('a request that was read before its connection broke is ambiguous', async () => {
  const server = createServer((request) => request.resume().on('end', () => request.destroy())).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const provider = providerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(await submitTo(provider)).toEqual({ kind: 'ambiguous', calls: 1 });
  await provider.close();
});

test('an unsent payout is sent soon after the provider is back, without an inquiry', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  transfers.script.submitFirst = Array(3).fill({ kind: 'not_sent', reason: 'ECONNREFUSED' });
  await transfers.execute(transaction.id);
  expect(await transfers.payoutOf(transaction.id)).toMatchObject({ state: 'submitting', submissions: 0 });
  await until(async () => {
    transfers.clock.advance(5_000);
    await transfers.sweep();
    return transfers.script.submitFirst.length === 0;
  });
  expect(await transfers.payoutOf(transaction.id)).toMatchObject({ state: 'submitting', submissions: 0 });
  transfers.clock.advance(30_000);
  await transfers.sweep();
  expect(await transfers.payoutOf(transaction.id)).toMatchObject({ state: 'accepted', submissions: 1 });
  expect(transfers.inquiries).toEqual([]);
});

test('closing aborts a hanging call as ambiguous within the shutdown time, and sends nothing more', async () => {
  const arrived = Promise.withResolvers<void>();
  const server = createServer(() => arrived.resolve()).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const provider = providerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 60_000);
  const hanging = submitTo(provider);
  await arrived.promise;
  const startedMs = performance.now();
  const closing = provider.close();
  expect(await submitTo(provider)).toEqual({ kind: 'not_sent', calls: 0 });
  await closing;
  expect(await hanging).toEqual({ kind: 'ambiguous', calls: 1 });
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

test('calls to the provider are aborted before the work that waits for them is drained', () => {
  expect(transfers.deps.providerCalls.stopsFirst).toBe(true);
});
