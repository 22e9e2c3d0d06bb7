import { until } from '@vuka/test-kit/until';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Answer,
  type ApiClient,
  createApiClient,
  order,
  PIN,
  registerMerchant,
  signInAdmin,
} from './api-client.ts';
import { expectFairEnds, expectLedgerHolds, openBooks } from './books.ts';
import { type RunningProduct, startProduct } from './product.ts';

/** So few transfers may wait for the worker that the product is overloaded as soon as the worker is paused. */
const MAY_WAIT = 2;
const FUNDS_KES = 100_000;
const PRICE_KES = 1_000;

let product: RunningProduct;
let admin: ApiClient;
let books: pg.Client;

beforeAll(async () => {
  product = await startProduct({
    SIMULATOR_DELAY_MS: '50',
    VUKA_RATE_LIMIT_FACTOR: '1000',
    VUKA_BACKLOG_ALWAYS: String(MAY_WAIT),
    VUKA_BACKLOG_SECONDS: '0.001',
  });
  books = await openBooks((await product.run()).services.transfers?.databaseUrl ?? '', product.databasePrefix);
  admin = await signInAdmin(product.address);
}, 120_000);

afterAll(async () => {
  await books?.end();
  await product?.stop();
});

const send = (client: ApiClient, body: object) => client.post('/api/transactions/create', body);

/** The only allowed answer to a refused order: nothing of it was stored, and it has a Retry-After. */
function expectShed(answer: Answer): void {
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
}

/** Repeats the order under its id until it is accepted. */
const acceptedAtLast = (client: ApiClient, body: object): Promise<Answer> =>
  until(
    async () => {
      const answer = await send(client, body);
      if (answer.status === 201) return answer;
      expectShed(answer);
      return undefined;
    },
    { timeoutMs: 30_000, everyMs: 50, what: 'the order is accepted' },
  );

test('excess orders are refused completely, accepted ones are kept, and everything settles after the overload', {
  timeout: 120_000,
}, async () => {
  const { client, user } = await registerMerchant(product.address, admin, { KES: FUNDS_KES });
  const waiting = Array.from({ length: MAY_WAIT }, () => order());
  const late = Array.from({ length: 20 }, () => order());
  const ids: string[] = [];
  await product.kill('transfers-worker', 'SIGSTOP');
  try {
    for (const body of waiting) ids.push((await acceptedAtLast(client, body)).body.transaction.id);
    for (const answer of await Promise.all(late.map((body) => send(client, body)))) expectShed(answer);

    const again = await Promise.all(waiting.map((body) => send(client, body)));
    expect(again.map(({ status, body }) => [status, body.transaction?.id])).toEqual(ids.map((id) => [200, id]));

    const reads = ['/api/balances', '/api/transactions', '/health/ready', '/health/live'];
    for (const path of reads) expect([path, (await client.get(path)).status]).toEqual([path, 200]);
    const login = { username: user.email, pin: PIN };
    expect((await createApiClient(product.address).post('/api/login', login)).status).toBe(200);

    const kept = await books.query(`select id from transactions where transaction_type = 'transfer' and is_open`);
    expect(kept.rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const left = FUNDS_KES - MAY_WAIT * PRICE_KES;
    expect((await client.get('/api/balances')).body.balances.KES).toBe(`${left}.00`);
  } finally {
    await product.kill('transfers-worker', 'SIGCONT');
  }
  const accepted = await Promise.all(late.map((body) => acceptedAtLast(client, body)));
  ids.push(...accepted.map(({ body }) => body.transaction.id));
  const simulatorPort = (await product.run()).services['payout-simulator']?.port ?? 0;
  const all = ids.map((id) => ({ id, userId: user.id as string, payee: 'phone' as const }));
  await expectFairEnds(books, all, { simulatorPort, timeoutMs: 30_000 });
  await expectLedgerHolds(admin);
});
