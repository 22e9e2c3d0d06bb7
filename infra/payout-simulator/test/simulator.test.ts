import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Schema } from '../src/db/schema.ts';
import { createSimulator } from '../src/simulator.ts';

const logger = createLogger({ service: 'payout-simulator-test', level: 'silent' });
const TOKEN = 'simulator-token';
let server: TestDatabase;

interface Started {
  call(method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown): Promise<{ status: number; json: Answer }>;
  /** Stops like a kill: nothing is finished or answered. */
  kill(): Promise<void>;
}
type Answer = Record<string, unknown> & { failureReason?: { failureCode: string }; data?: Record<string, unknown> };

async function start(
  options: { delayMs?: number; callbackUrl?: string; paymentsUrl?: string; now?: () => Date } = {},
): Promise<Started> {
  const database = createDatabase<Schema>({ url: server.url, service: 'simulator-test', logger, poolSize: 4 });
  const { app, part } = createSimulator({ database, logger, token: TOKEN, delayMs: 0, ...options });
  await part.start();
  await app.ready();
  return {
    async call(method, url, body) {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const response = await app.inject({
        method,
        url,
        headers,
        ...(body === undefined ? {} : { body: body as object }),
      });
      return { status: response.statusCode, json: response.body === '' ? {} : response.json() };
    },
    async kill() {
      await part.stop();
      await app.close();
      await database.close();
    },
  };
}

let callbacks: Record<string, unknown>[] = [];
let answerWith = 200;
const receiver = createServer((request: IncomingMessage, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    callbacks.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(answerWith).end();
  });
});
let callbackUrl = '';
let simulator: Started;

beforeAll(async () => {
  server = await createTestDatabase('payout_simulator');
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/api/callbacks/pawapay`;
});
beforeEach(async () => {
  callbacks = [];
  answerWith = 200;
  simulator = await start({ callbackUrl });
});
afterEach(async () => {
  await simulator.call('DELETE', '/sim/scenarios');
  await simulator.kill();
});
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
  await server.drop();
});

function bodyOf(change: Record<string, unknown> = {}) {
  return {
    payoutId: randomUUID(),
    amount: '1500',
    currency: 'TZS',
    recipient: { type: 'MMO', accountDetails: { phoneNumber: '255763000000', provider: 'VODACOM_TZA' } },
    ...change,
  };
}

const to = (phoneNumber: string, provider = 'VODACOM_TZA') => ({
  recipient: { type: 'MMO', accountDetails: { phoneNumber, provider } },
});
const pay = (body: unknown) => simulator.call('POST', '/v2/payouts', body);
const statusOf = async (id: string) => (await simulator.call('GET', `/v2/payouts/${id}`)).json.data?.status;
const callbacksOf = (id: string) => callbacks.filter(({ payoutId }) => payoutId === id);

async function ledgerOf(id: string) {
  const entries: Record<string, unknown>[] = [];
  let cursor: unknown = '0';
  while (cursor !== null) {
    const { json } = await simulator.call('GET', `/sim/ledger?limit=100&cursor=${cursor}`);
    entries.push(...(json.entries as Record<string, unknown>[]));
    cursor = json.nextCursor;
  }
  return entries.filter((entry) => entry.id === id);
}

test('50 identical concurrent requests pay once and are accepted once', async () => {
  const body = bodyOf();
  const answers = await Promise.all(Array.from({ length: 50 }, () => pay(body)));
  const statuses = answers.map(({ json }) => json.status);
  expect(statuses.filter((status) => status === 'ACCEPTED')).toHaveLength(1);
  expect(statuses.filter((status) => status === 'DUPLICATE_IGNORED')).toHaveLength(49);
  await until(() => callbacksOf(body.payoutId).length > 0);
  expect(await ledgerOf(body.payoutId)).toMatchObject([{ msisdn: '255763000000', amount: '1500', currency: 'TZS' }]);
});

test('a payment is reported before its callback, and again under its reference if the report was not answered', async () => {
  await simulator.kill();
  simulator = await start({ callbackUrl, paymentsUrl: callbackUrl });
  answerWith = 500;
  const body = bodyOf();
  await pay(body);
  const reports = () => (callbacks as unknown[]).filter(Array.isArray).flat();
  await until(() => reports().length > 1);
  expect(callbacksOf(body.payoutId)).toEqual([]);
  answerWith = 200;
  await simulator.kill();
  simulator = await start({ callbackUrl, paymentsUrl: callbackUrl });
  await until(() => callbacksOf(body.payoutId).length > 0);
  const payment = { id: body.payoutId, msisdn: '255763000000', amount: '1500', currency: 'TZS' };
  expect(new Set(reports().map((report) => JSON.stringify(report))).size).toBe(1);
  expect(reports()[0]).toMatchObject(payment);
});

test('a payout accepted before a kill is paid once and reported after the restart', async () => {
  await simulator.kill();
  let nowMs = Date.now();
  const now = () => new Date(nowMs);
  simulator = await start({ callbackUrl, delayMs: 60_000, now });
  const body = bodyOf();
  expect((await pay(body)).json.status).toBe('ACCEPTED');
  await simulator.kill();
  expect(callbacksOf(body.payoutId)).toHaveLength(0);

  nowMs += 60_000;
  simulator = await start({ callbackUrl, delayMs: 60_000, now });
  await until(() => callbacksOf(body.payoutId).length === 1);
  expect(await statusOf(body.payoutId)).toBe('COMPLETED');
  expect(await ledgerOf(body.payoutId)).toHaveLength(1);
  expect((await pay(body)).json.status).toBe('DUPLICATE_IGNORED');
});

test('a callback is sent again until it is answered with 200, across a restart', async () => {
  answerWith = 503;
  const body = bodyOf();
  await pay(body);
  await until(() => callbacksOf(body.payoutId).length >= 1);
  await simulator.kill();
  answerWith = 200;
  const before = callbacksOf(body.payoutId).length;
  simulator = await start({ callbackUrl });
  await until(() => callbacksOf(body.payoutId).length === before + 1);
  expect(await ledgerOf(body.payoutId)).toHaveLength(1);
});

test('a callback in flight when the process was killed is sent again at the next start', async () => {
  const body = bodyOf();
  await pay(body);
  await until(() => callbacksOf(body.payoutId).length === 1);
  await simulator.kill();
  const database = createDatabase<Schema>({ url: server.url, service: 'simulator-test', logger });
  const leasedUntil = new Date(Date.now() + 25_000);
  await database.db
    .updateTable('payouts')
    .set({ callback_due_at: leasedUntil })
    .where('id', '=', body.payoutId)
    .execute();
  await database.close();
  simulator = await start({ callbackUrl });
  await until(() => callbacksOf(body.payoutId).length === 2, { timeoutMs: 5_000 });
});

test('a callback is the status without our own reference, its metadata one object', async () => {
  const body = bodyOf({ clientReferenceId: 'ours', metadata: [{ transferId: 't' }, { name: 'n', isPII: true }] });
  await pay(body);
  await until(() => callbacksOf(body.payoutId).length > 0);
  const [callback] = callbacksOf(body.payoutId);
  expect(callback).toMatchObject({
    status: 'COMPLETED',
    amount: '1500',
    country: 'TZA',
    metadata: { transferId: 't' },
  });
  expect(callback).not.toHaveProperty('clientReferenceId');
  expect((await simulator.call('GET', `/v2/payouts/${body.payoutId}`)).json.data?.clientReferenceId).toBe('ours');
});

test.each<[string, unknown, number, string]>([
  ['no object', [], 400, 'INVALID_INPUT'],
  ['no amount', bodyOf({ amount: undefined }), 400, 'MISSING_PARAMETER'],
  ['a number for an amount', bodyOf({ amount: 15 }), 400, 'INVALID_PARAMETER'],
  [
    'an id that is not a UUID v4',
    bodyOf({ payoutId: '0190a000-0000-7000-8000-000000000001' }),
    400,
    'INVALID_PARAMETER',
  ],
  ['a field that does not exist', bodyOf({ tip: '1' }), 400, 'UNSUPPORTED_PARAMETER'],
  ['a message with marks', bodyOf({ customerMessage: 'Asante!' }), 400, 'INVALID_PARAMETER'],
  ['metadata that repeats', bodyOf({ metadata: [{ a: '1' }, { a: '2' }] }), 400, 'DUPLICATE_METADATA_FIELD'],
  ['an unknown provider', bodyOf(to('255763000000', 'TTCL_TZA')), 200, 'INVALID_PROVIDER'],
  ['another currency', bodyOf({ currency: 'KES' }), 200, 'INVALID_CURRENCY'],
  ['a number of another country', bodyOf(to('254712000000')), 200, 'INVALID_PHONE_NUMBER'],
  ['a fraction that the network cannot pay', bodyOf({ amount: '10.50' }), 200, 'INVALID_AMOUNT'],
  ['nothing', bodyOf({ amount: '0' }), 200, 'INVALID_AMOUNT'],
  ['too much', bodyOf({ amount: '1000000001' }), 200, 'AMOUNT_OUT_OF_BOUNDS'],
])('%s is refused, and nothing is paid', async (_what, body, status, code) => {
  const { status: answered, json } = await pay(body);
  expect([answered, json.failureReason?.failureCode]).toEqual([status, code]);
  if (status === 200) expect(json.status).toBe('REJECTED');
  const { payoutId } = body as { payoutId?: string };
  if (status === 200)
    expect((await simulator.call('GET', `/v2/payouts/${payoutId}`)).json).toEqual({ status: 'NOT_FOUND' });
});

test.each([
  ['089', 'FAILED', 'RECIPIENT_NOT_FOUND'],
  ['099', 'FAILED', 'WALLET_LIMIT_REACHED'],
  ['109', 'FAILED', 'RECIPIENT_LIMIT_REACHED'],
  ['119', 'FAILED', 'UNSPECIFIED_FAILURE'],
  ['129', 'PROCESSING', undefined],
  ['789', 'COMPLETED', undefined],
])('the sandbox number ending in %s ends %s', async (suffix, status, code) => {
  const body = bodyOf(to(`255763456${suffix}`));
  await pay(body);
  await until(async () => (await statusOf(body.payoutId)) === status);
  const { json } = await simulator.call('GET', `/v2/payouts/${body.payoutId}`);
  expect((json.data?.failureReason as { failureCode?: string } | undefined)?.failureCode).toBe(code);
  expect(await ledgerOf(body.payoutId)).toHaveLength(status === 'COMPLETED' ? 1 : 0);
});

test('the float is reserved, charged on payment and released on failure; without it nothing is accepted', async () => {
  const balanceOf = async () => {
    const { json } = await simulator.call('GET', '/v2/wallet-balances?country=KEN');
    return (json.balances as { balance: string }[])[0]?.balance;
  };
  await simulator.call('POST', '/sim/wallets', { currency: 'KES', balance: '100' });
  const kenyan = (amount: string, phone: string) => bodyOf({ amount, currency: 'KES', ...to(phone, 'MPESA_KEN') });
  const open = kenyan('60', '254703456129');
  await pay(open);
  expect(await balanceOf()).toBe('40');
  expect((await pay(kenyan('41', '254712000000'))).json.failureReason?.failureCode).toBe('PAWAPAY_WALLET_OUT_OF_FUNDS');
  const failing = kenyan('10', '254703456089');
  await pay(failing);
  await until(async () => (await statusOf(failing.payoutId)) === 'FAILED');
  const paid = kenyan('40', '254712000000');
  await pay(paid);
  await until(async () => (await statusOf(paid.payoutId)) === 'COMPLETED');
  expect(await balanceOf()).toBe('0');
  await simulator.call('POST', '/sim/wallets', { currency: 'KES', balance: '1000000000000' });
});

test('an enqueued payout can be cancelled once, and is not paid', async () => {
  const body = bodyOf();
  await simulator.call('POST', '/sim/scenarios', { match: { id: body.payoutId }, effect: 'enqueued' });
  await pay(body);
  await until(async () => (await statusOf(body.payoutId)) === 'ENQUEUED');
  const cancel = () => simulator.call('POST', `/v2/payouts/fail-enqueued/${body.payoutId}`);
  const answers = await Promise.all([cancel(), cancel(), cancel()]);
  expect(answers.map(({ json }) => json.status).sort()).toEqual(['ACCEPTED', 'REJECTED', 'REJECTED']);
  await until(() => callbacksOf(body.payoutId).length === 1);
  expect(callbacksOf(body.payoutId)[0]).toMatchObject({
    status: 'FAILED',
    failureReason: { failureCode: 'MANUALLY_CANCELLED' },
  });
  expect(await ledgerOf(body.payoutId)).toHaveLength(0);
});

test('a callback is sent again on request, for a payout that has ended', async () => {
  const [ended, open] = [bodyOf(), bodyOf(to('255763456129'))];
  await Promise.all([pay(ended), pay(open)]);
  await until(() => callbacksOf(ended.payoutId).length === 1);
  const resend = async (id: string) => (await simulator.call('POST', `/v2/payouts/resend-callback/${id}`)).json;
  expect((await resend(ended.payoutId)).status).toBe('ACCEPTED');
  await until(() => callbacksOf(ended.payoutId).length === 2);
  expect((await resend(open.payoutId)).failureReason?.failureCode).toBe('INVALID_STATE');
  expect((await resend(randomUUID())).failureReason?.failureCode).toBe('NOT_FOUND');
});

test('the items of a bulk are independent', async () => {
  const [good, bad] = [bodyOf(), bodyOf({ amount: '0' })];
  const { json } = await simulator.call('POST', '/v2/payouts/bulk', [good, bad, good]);
  const answers = json as unknown as { status: string }[];
  expect(answers.map(({ status }) => status)).toEqual(['ACCEPTED', 'REJECTED', 'DUPLICATE_IGNORED']);
});

test('a remittance needs its people, and is not a payout', async () => {
  const { payoutId: remittanceId, ...rest } = bodyOf();
  const bare = await simulator.call('POST', '/v2/remittances', { ...rest, remittanceId });
  expect(bare.json.failureReason?.failureCode).toBe('MISSING_PARAMETER');
  const person = { firstName: 'Asha', lastName: 'Ali' };
  const whole = {
    ...rest,
    remittanceId,
    recipient: { ...rest.recipient, recipientDetails: person },
    sender: {
      transactionDetails: { transactionReference: 't', purposeOfFunds: 'OTHER', sourceOfFunds: 'SALARY' },
      senderDetails: {
        ...person,
        nationality: 'KEN',
        phoneNumber: '254712345678',
        address: { country: 'KEN' },
        identification: { type: 'PASSPORT', number: 'A1' },
      },
    },
  };
  expect((await simulator.call('POST', '/v2/remittances', whole)).json).toMatchObject({
    remittanceId,
    status: 'ACCEPTED',
  });
  expect((await simulator.call('GET', `/v2/remittances/${remittanceId}`)).json.status).toBe('FOUND');
  expect((await simulator.call('GET', `/v2/payouts/${remittanceId}`)).json.status).toBe('NOT_FOUND');
});

test('a scenario for the next payout is used up by it', async () => {
  await simulator.call('POST', '/sim/scenarios', { match: { next: 1 }, effect: 'closed' });
  expect((await pay(bodyOf())).json.failureReason?.failureCode).toBe('PROVIDER_TEMPORARILY_UNAVAILABLE');
  expect((await pay(bodyOf())).json.status).toBe('ACCEPTED');
  expect((await simulator.call('POST', '/sim/scenarios', { match: {}, effect: 'closed' })).status).toBe(400);
  expect((await simulator.call('POST', '/sim/scenarios', { match: { next: 1 }, effect: 'none' })).status).toBe(400);
});
