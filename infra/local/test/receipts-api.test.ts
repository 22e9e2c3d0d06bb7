import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient, order, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

let product: RunningProduct;
let admin: ApiClient;
beforeAll(async () => {
  product = await startProduct({
    SIMULATOR_DELAY_MS: '50',
    VUKA_PAYOUT_CHECK_SECONDS: '1',
    VUKA_RATE_LIMIT_FACTOR: '10',
  });
  admin = await signInAdmin(product.address);
}, 90_000);
afterAll(() => product?.stop());

const anonymous = () => createApiClient(product.address);
const merchant = (funds?: { KES?: number; TZS?: number }) => registerMerchant(product.address, admin, funds);
const REFUSED_PHONE = '+255713456089';
const UNKNOWN_ID = '0190a000-0000-7000-8000-000000000001';

/** Sends, and waits until the transfer has ended. */
async function send(client: ApiClient, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await client.post('/api/transactions/create', order(changes));
  expect(status).toBe(201);
  const { id } = body.transaction;
  const isOver = async () =>
    /SETTLED|FAILED/.test((await client.get(`/api/transactions/${id}`)).body.transaction.status);
  await until(isOver, { timeoutMs: 20_000 });
  return id;
}

/** A day in East Africa, relative to today. */
function day(offset = 0): string {
  return new Date(Date.now() + 3 * 3_600_000 + offset * 86_400_000).toISOString().slice(0, 10);
}

const nextOf = (link: string | null) => /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];

describe('the history', () => {
  test('follows Link through a filtered list, and the link keeps the filters', async () => {
    const { client } = await merchant({ KES: 100_000 });
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift(await send(client));
    await send(client, { recipientPhone: REFUSED_PHONE });
    const seen: string[] = [];
    let path: string | undefined =
      `/api/transactions?limit=2&status=SETTLED&direction=KES_TO_TZS&from=${day()}&to=${day()}&q=0763`;
    while (path) {
      const page: Awaited<ReturnType<ApiClient['get']>> = await client.get(path);
      expect(page.status).toBe(200);
      seen.push(...page.body.map((item: { id: string }) => item.id));
      path = nextOf(page.headers.get('link'));
    }
    expect(seen).toEqual(ids);
    expect((await client.get(`/api/transactions?from=${day(1)}`)).body).toEqual([]);
    expect((await client.get(`/api/transactions?to=${day(-1)}`)).body).toEqual([]);
  });

  test('without parameters is the whole list', async () => {
    const { client } = await merchant({ KES: 10 });
    const { body, headers } = await client.get('/api/transactions');
    expect(body).toHaveLength(1);
    expect(headers.get('link')).toBeNull();
    expect((await anonymous().get('/api/transactions?status=SETTLED')).status).toBe(401);
  });

  test.each([
    ['status=DONE', 'Status must be PENDING, PROCESSING, SETTLED, FAILED or CANCELLED'],
    ['status=FAILED&status=SETTLED', 'Status must be PENDING, PROCESSING, SETTLED, FAILED or CANCELLED'],
    ['direction=UP', 'Direction must be KES_TO_TZS or TZS_TO_KES'],
    ['from=yesterday', 'Dates must be written as YYYY-MM-DD'],
    ['to=2026-02-30', 'Dates must be written as YYYY-MM-DD'],
    ['q=juma', 'Search for a transaction ID, a phone number or an amount'],
    ['q=', 'Search for a transaction ID, a phone number or an amount'],
    ['limit=1000', 'limit must be a whole number from 1 to 200'],
  ])('refuses %s with a message', async (query, sentence) => {
    const { status, body } = await admin.get(`/api/transactions?${query}`);
    expect([status, body.code, body.error]).toEqual([400, 'validation_failed', sentence]);
  });
});

describe('a receipt', () => {
  test('is verified with its code, without a session, at its current status; a changed code is not genuine', async () => {
    const { client } = await merchant();
    const id = await send(client);
    const { code } = (await client.get(`/api/transactions/${id}/verification`)).body;
    const answer = await anonymous().get(`/api/verify/${code}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({
      genuine: true,
      receipt: { id, status: 'SETTLED', sourceAmount: '1000.00', recipientPhone: '+255••••••700' },
    });
    expect(JSON.stringify(answer.body)).not.toContain('763456');
    const changed = code.slice(0, 50) + (code[50] === 'A' ? 'B' : 'A') + code.slice(51);
    const forged = await anonymous().get(`/api/verify/${changed}`);
    expect([forged.status, forged.body]).toEqual([200, { genuine: false, checkedAt: expect.any(String) }]);
  });

  test.each([
    ['one letter', 'x'],
    ['too short', 'A'.repeat(107)],
    ['too long', 'A'.repeat(5_000)],
    ['not base64url', `${'A'.repeat(107)}%2F`],
  ])('has no code that is %s: the gateway refuses it', async (_what, code) => {
    const { status, body } = await anonymous().get(`/api/verify/${code}`);
    expect([status, body.error]).toEqual([400, 'This is not a receipt code']);
  });

  test('gives its code only to the sender and administrators', async () => {
    const { client } = await merchant();
    const id = await send(client);
    const path = `/api/transactions/${id}/verification`;
    expect((await admin.get(path)).status).toBe(200);
    expect((await anonymous().get(path)).status).toBe(401);
    expect((await (await merchant({})).client.get(path)).status).toBe(404);
    expect((await client.get(`/api/transactions/${UNKNOWN_ID}/verification`)).status).toBe(404);
    expect((await client.get('/api/transactions/unknown/verification')).status).toBe(404);
  });
});

describe('a statement', () => {
  test('adds up, from the ledger, and shows where the money went', async () => {
    const { client } = await merchant({ KES: 5_000, TZS: 70_000 });
    const sent = await send(client);
    await send(client, { recipientPhone: REFUSED_PHONE });
    const { body, status } = await client.get(`/api/statement?from=${day()}&to=${day()}`);
    expect(status).toBe(200);
    expect(body.wallets).toEqual([
      {
        currency: 'KES',
        opening: '0.00',
        moneyIn: '5000.00',
        moneyOut: '1000.00',
        fees: '0.00',
        closing: '4000.00',
        reserved: '0.00',
      },
      {
        currency: 'TZS',
        opening: '0.00',
        moneyIn: '70000.00',
        moneyOut: '0.00',
        fees: '0.00',
        closing: '70000.00',
        reserved: '0.00',
      },
    ]);
    expect(body.movements).toMatchObject([
      { kind: 'deposit', currency: 'KES', moneyIn: '5000.00', balance: '5000.00', recipientPhone: null },
      { kind: 'deposit', currency: 'TZS', moneyIn: '70000.00', balance: '70000.00' },
      { kind: 'sent', transactionId: sent, moneyOut: '1000.00', balance: '4000.00', recipientPhone: '+255763456700' },
    ]);
    expect(body.hasMore).toBe(false);
    expect((await client.get('/api/statement/this-month')).body).toEqual({
      from: `${day().slice(0, 7)}-01`,
      to: day(),
      wallets: [
        { currency: 'KES', moneyIn: '5000.00', moneyOut: '1000.00', fees: '0.00' },
        { currency: 'TZS', moneyIn: '70000.00', moneyOut: '0.00', fees: '0.00' },
      ],
    });
    const { body: before } = await client.get(`/api/statement?from=${day(-30)}&to=${day(-1)}`);
    expect(before.wallets.map(({ closing }: { closing: string }) => closing)).toEqual(['0.00', '0.00']);
    expect(before.movements).toEqual([]);
    const { body: after } = await client.get(`/api/statement?from=${day(1)}&to=${day(2)}`);
    expect(after.wallets.map(({ opening }: { opening: string }) => opening)).toEqual(['4000.00', '70000.00']);
  });

  test('is a CSV that spreadsheets open without running formulas', async () => {
    const { client } = await merchant({ KES: 5_000 });
    await send(client);
    const { body, headers, status } = await client.get(`/api/statement.csv?from=${day()}&to=${day()}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="vuka-statement-${day()}-to-${day()}.csv"`);
    const lines = body.split('\r\n');
    expect(lines.at(-1)).toBe('');
    expect(lines.map((line: string) => line.split(',')[1])).toEqual([
      'Type',
      'Opening balance',
      'Opening balance',
      'Deposit',
      'Sent',
      'Closing balance',
      'Closing balance',
      undefined,
    ]);
    expect(lines[4]).toMatch(/,'\+255763456700,KES,0\.00,1000\.00,0\.00,4000\.00$/);
    expect(lines[5]).toBe(`${day()},Closing balance,,,KES,5000.00,1000.00,0.00,4000.00`);
  });

  test.each([
    ['', 'Dates must be written as YYYY-MM-DD'],
    ['from=2026-01-01', 'Dates must be written as YYYY-MM-DD'],
    ['from=2026-02-01&to=2026-01-01', 'The first day must not be after the last'],
    ['from=2025-01-01&to=2026-01-02', 'A statement covers 12 months at most'],
    ['from=1999-01-01&to=1999-02-01', 'Dates must be written as YYYY-MM-DD'],
  ])('of %j is refused with a message', async (query, sentence) => {
    for (const path of ['/api/statement', '/api/statement.csv']) {
      const { status, body } = await admin.get(`${path}?${query}`);
      expect([status, body.error]).toEqual([400, sentence]);
    }
  });

  test('needs a session', async () => {
    for (const path of ['/api/statement', '/api/statement.csv']) {
      expect((await anonymous().get(`${path}?from=${day()}&to=${day()}`)).status).toBe(401);
    }
  });
});
