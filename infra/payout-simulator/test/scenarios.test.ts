import { randomUUID } from 'node:crypto';
import { createDatabase, type Database } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Schema } from '../src/db/schema.ts';
import { createSimulator } from '../src/simulator.ts';

const logger = createLogger({ service: 'payout-simulator-test', level: 'silent' });
const TOKEN = 'simulator-token';
let server: TestDatabase;
let database: Database<Schema>;
let simulator: ReturnType<typeof createSimulator>;

async function start() {
  database = createDatabase<Schema>({ url: server.url, service: 'simulator-test', logger, poolSize: 4 });
  simulator = createSimulator({ database, logger, token: TOKEN, delayMs: 0 });
  await simulator.part.start();
  await simulator.app.ready();
}
async function stop() {
  await simulator.part.stop();
  await simulator.app.close();
  await database.close();
}

beforeAll(async () => {
  server = await createTestDatabase('payout_scenarios');
});
beforeEach(start);
afterEach(async () => {
  await call('POST', '/sim/scenarios/off', {});
  await stop();
});
afterAll(() => server.drop());

async function call(method: 'GET' | 'POST', url: string, body?: object) {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await simulator.app.inject({ method, url, headers, ...(body ? { body } : {}) });
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what a test is about
  return { status: response.statusCode, json: response.json() as any };
}

const KENYAN = { phoneNumber: '254703000000', provider: 'MPESA_KEN' };
const TANZANIAN = { phoneNumber: '255763000000', provider: 'VODACOM_TZA' };

function bodyOf(accountDetails: typeof KENYAN, payoutId: string = randomUUID()) {
  const currency = accountDetails === KENYAN ? 'KES' : 'TZS';
  return { payoutId, amount: '1500', currency, recipient: { type: 'MMO', accountDetails } };
}
async function pay(accountDetails = TANZANIAN, payoutId?: string) {
  const { status, json } = await call('POST', '/v2/payouts', bodyOf(accountDetails, payoutId));
  return status === 200 ? json.status : status;
}
const scenario = async (order: object) => (await call('POST', '/sim/scenarios', order)).status;
const list = async () => (await call('GET', '/sim/scenarios')).json.scenarios;
const off = async (name?: string) => (await call('POST', '/sim/scenarios/off', name ? { name } : {})).json.wasOn;

test('the list has the number of payouts left for each scenario, and null for one without an end', async () => {
  await scenario({ name: 'three', match: { next: 3, currency: 'TZS' }, effect: 'closed' });
  await scenario({ name: 'ever', match: { every: true }, effect: 'callback_lost' });
  await pay();
  expect(await list()).toMatchObject([
    { name: 'three', match: { currency: 'TZS' }, left: 2, createdAt: expect.stringMatching(/^\d{4}-/) },
    { name: 'ever', left: null },
  ]);
  await pay();
  await pay();
  expect(await list()).toMatchObject([{ name: 'ever' }]);
});

test('a scenario of one currency leaves the other alone', async () => {
  await scenario({ match: { currency: 'KES' }, effect: 'reject' });
  expect(await pay(TANZANIAN)).toBe('ACCEPTED');
  expect(await pay(KENYAN)).toBe('REJECTED');
  expect(await pay(KENYAN)).toBe('REJECTED');
});

test('a network that closes after a request accepts the payout, and rejects its repeats', async () => {
  await scenario({ match: { next: 1 }, effect: 'closed_to_repeats' });
  const id = randomUUID();
  expect(await pay(TANZANIAN, id)).toBe('ACCEPTED');
  expect(await pay(TANZANIAN, id)).toBe('REJECTED');
  expect((await call('GET', `/v2/payouts/${id}`)).json.status).toBe('FOUND');
  expect(await pay()).toBe('ACCEPTED');
});

test('a payout that is hidden for a while is hidden from every inquiry in that time, across a restart', async () => {
  await scenario({ match: { next: 1 }, effect: 'not_found_first', params: { ms: 60_000 } });
  const id = randomUUID();
  await pay(TANZANIAN, id);
  const found = async () => (await call('GET', `/v2/payouts/${id}`)).json.status;
  expect([await found(), await found()]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  await stop();
  await start();
  expect(await found()).toBe('NOT_FOUND');
});

test('matching every payout must be explicit: an empty match, or one with unknown fields, is refused', async () => {
  expect(await scenario({ match: {}, effect: 'closed' })).toBe(400);
  expect(await scenario({ match: { next: 1, phone: '255763000000' }, effect: 'closed' })).toBe(400);
  expect(await scenario({ match: { every: true }, effect: 'closed' })).toBe(201);
  expect(await pay()).toBe('REJECTED');
  expect(await pay(KENYAN)).toBe('REJECTED');
});

test('a scenario replaces the one with the same name, across a restart', async () => {
  await scenario({ name: 'lab', match: { every: true }, effect: 'closed' });
  await scenario({ name: 'lab', match: { next: 2 }, effect: 'html_503' });
  expect(await list()).toMatchObject([{ name: 'lab', effect: 'html_503', left: 2 }]);
  await stop();
  await start();
  expect(await list()).toMatchObject([{ name: 'lab', effect: 'html_503', left: 2 }]);
});

test('one scenario is switched off by its name, its payouts are released, and the others stay', async () => {
  await scenario({ name: 'one', match: { every: true }, effect: 'http_429', params: { always: true } });
  await scenario({ name: 'two', match: { every: true }, effect: 'callback_lost' });
  const id = randomUUID();
  expect(await pay(TANZANIAN, id)).toBe(429);
  expect(await pay(TANZANIAN, id)).toBe(429);
  expect(await off('one')).toBe(true);
  expect(await pay(TANZANIAN, id)).toBe('ACCEPTED');
  expect(await list()).toMatchObject([{ name: 'two' }]);
  expect(await off('one')).toBe(false);
  expect(await off()).toBe(true);
  expect(await list()).toEqual([]);
});

test('an effect with `once` lets the repeat of the payout through', async () => {
  await scenario({
    match: { next: 1 },
    effect: 'float_exhausted',
    params: { at: 'accept', once: true },
  });
  const id = randomUUID();
  expect(await pay(TANZANIAN, id)).toBe('REJECTED');
  expect(await pay(TANZANIAN, id)).toBe('ACCEPTED');
});

test('one scenario can have several effects on the same payouts', async () => {
  await scenario({
    match: { next: 1 },
    effect: 'http_500_paid',
    and: [{ effect: 'not_found_first', params: { times: 1 } }],
  });
  const id = randomUUID();
  expect(await pay(TANZANIAN, id)).toBe(500);
  const inquire = async () => (await call('GET', `/v2/payouts/${id}`)).json.status;
  expect(await inquire()).toBe('NOT_FOUND');
  expect(await inquire()).toBe('FOUND');
});

test('the totals count paid, failed and open payouts, by currency', async () => {
  const totals = async () =>
    (await call('GET', '/sim/totals')).json.totals.find(({ currency }: { currency: string }) => currency === 'KES') ?? {
      paid: { count: 0, amount: '0.00' },
      failed: { count: 0, amount: '0.00' },
      inFlight: { count: 0, amount: '0.00' },
    };
  const before = await totals();
  const more = (sum: { count: number; amount: string }) => ({
    count: sum.count + 1,
    amount: (Number(sum.amount) + 1_500).toFixed(2),
  });
  await pay(KENYAN);
  await scenario({ match: { next: 1 }, effect: 'fail' });
  await pay(KENYAN);
  await scenario({ match: { next: 1 }, effect: 'stays_open' });
  await pay(KENYAN);
  // A rejected payout is not stored.
  await scenario({ match: { next: 1 }, effect: 'closed' });
  await pay(KENYAN);
  const after = { paid: more(before.paid), failed: more(before.failed), inFlight: more(before.inFlight) };
  await until(async () => (await totals()).failed.count === after.failed.count);
  await until(async () => (await totals()).paid.count === after.paid.count);
  expect(await totals()).toEqual({ currency: 'KES', ...after });
});
