import { readFile } from 'node:fs/promises';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ApiClient,
  createApiClient,
  order,
  PIN,
  registerMerchant,
  setAnyRate,
  signInAdmin,
  signInApprover,
  verifyPhone,
} from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

let product: RunningProduct;
let admin: ApiClient;
beforeAll(async () => {
  product = await startProduct({
    SIMULATOR_DELAY_MS: '50',
    VUKA_STUCK_AFTER_SECONDS: '3',
    VUKA_PAYOUT_CHECK_SECONDS: '1',
  });
  admin = await signInAdmin(product.address);
}, 90_000);
afterAll(() => product?.stop());

const anonymous = () => createApiClient(product.address);
const merchant = (funds?: { KES?: number; TZS?: number }) => registerMerchant(product.address, admin, funds);
const status = async (client: ApiClient, id: string) =>
  (await client.get(`/api/transactions/${id}`)).body.transaction.status;
const ended = (client: ApiClient, id: string, wanted: string) =>
  until(async () => (await status(client, id)) === wanted, { timeoutMs: 20_000 });
const balances = async (client: ApiClient) => (await client.get('/api/balances')).body.balances;

describe('the error shape', () => {
  test('without a session the answer is 401, whatever else is wrong with the request', async () => {
    const asked = await Promise.all([
      anonymous().post('/api/transactions/create', {}),
      anonymous().post('/api/quotes', { direction: 'sideways' }),
      anonymous().get('/api/transactions?limit=0'),
      anonymous().post('/api/withdrawals', {}, { cookie: 'vuka_session=expired' }),
    ]);
    expect(asked.map(({ status, body }) => [status, body.code])).toEqual(asked.map(() => [401, 'unauthenticated']));
    expect((await anonymous().post('/api/login', {})).status).toBe(400);
    expect((await (await merchant()).client.post('/api/quotes', {})).status).toBe(400);
  });

  test('is the same everywhere, with the request id of the answer', async () => {
    const failures = [
      await anonymous().get('/api/user'),
      await anonymous().get('/api/nothing-here'),
      await anonymous().post('/api/login', { username: 'x', pin: 'y' }),
      await anonymous().post('/api/login', '{"username":'),
      await admin.get('/api/transactions/unknown'),
    ];
    expect(failures.map((failure) => failure.status)).toEqual([401, 404, 400, 400, 404]);
    for (const { body, headers } of failures) {
      expect(body).toMatchObject({
        error: expect.any(String),
        code: expect.any(String),
        reason: expect.any(String),
        requestId: headers.get('x-request-id'),
      });
      const fields = ['error', 'code', 'reason', 'params', 'requestId', 'issues'];
      expect(Object.keys(body).filter((key) => !fields.includes(key))).toEqual([]);
    }
  });

  test('413 for a body over 64 KiB', async () => {
    const { status, body } = await anonymous().post('/api/login', { username: 'a@b.co', pin: '1'.repeat(70_000) });
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
  });

  test('403 for a page of another site, but not for a program or our own page', async () => {
    const login = (origin?: string) =>
      anonymous().post('/api/login', { username: 'a@b.co', pin: '1357' }, origin ? { origin } : {});
    expect((await login('https://evil.example')).body.code).toBe('forbidden');
    expect((await login('null')).body.code).toBe('forbidden');
    expect((await login(product.address)).status).toBe(401);
    expect((await login()).status).toBe(401);
  });
});

describe('an account', () => {
  test('is registered, signed in by PIN or password, read, changed and signed out, including on the server', async () => {
    const { client, user } = await merchant({});
    expect(Object.keys(user).sort()).toEqual([
      'adminId',
      'country',
      'createdAt',
      'defaultCurrency',
      'email',
      'fullName',
      'id',
      'isAdmin',
      'merchantData',
      'phone',
      'username',
    ]);
    expect((await client.get('/api/user')).body).toEqual(user);
    expect((await anonymous().post('/api/login', { username: user.email, password: PIN })).body.id).toBe(user.id);
    expect((await client.patch('/api/profile', { defaultCurrency: 'TZS' })).body.defaultCurrency).toBe('TZS');
    expect((await client.patch('/api/profile', { defaultCurrency: 'USD' })).status).toBe(400);
    const { cookie } = client;
    expect((await client.post('/api/logout')).body).toEqual({ ok: true });
    expect((await anonymous().get('/api/user', { cookie })).status).toBe(401);
  });

  test('only answers to signed-in requests carry the remaining time of the session', async () => {
    const { client } = await merchant({});
    const left = async (path: string, api = client) => (await api.get(path)).headers.get('x-vuka-session-ends-in');
    for (const path of ['/api/user', '/api/balances', '/api/transactions']) {
      expect(Number(await left(path))).toBeGreaterThan(1_700);
      expect(Number(await left(path))).toBeLessThanOrEqual(1_800);
    }
    expect(await left('/api/user', anonymous())).toBeNull();
    expect(await left('/')).toBeNull();
  });

  test.each([
    [{ name: 'ab' }, 'Name must be at least 3 characters'],
    [{ email: 'nobody' }, 'Invalid email format'],
    [{ phoneNumber: '07-12' }, 'Phone number must contain only numbers'],
    [{ phoneNumber: '071234567' }, 'Phone number must be at least 10 digits'],
    [{ phoneNumber: '25471234567890' }, 'Phone number must not exceed 13 digits'],
    [{ pin: '12' }, 'PIN must be 4 digits'],
    [{ pin: '12a4' }, 'PIN must be numeric'],
    [{ country: 'K' }, 'Country must be at least 2 characters'],
  ])('is refused with %j in the specification’s words', async (wrong, sentence) => {
    const form = {
      name: 'Juma Said',
      email: 'juma.said@example.com',
      phoneNumber: '+255712345678',
      pin: PIN,
      country: 'Tanzania',
    };
    const { status, body } = await anonymous().post('/api/register', { ...form, ...wrong });
    expect([status, body.code, body.error]).toEqual([400, 'validation_failed', sentence]);
  });

  test('409 for a known email; the same 401 for a wrong PIN and a wrong email; 429 after too many attempts', async () => {
    const { user } = await merchant({});
    const taken = {
      name: 'Juma Said',
      email: user.email.toUpperCase(),
      phoneNumber: '+255712345678',
      pin: PIN,
      country: 'Tanzania',
    };
    expect((await anonymous().post('/api/register', taken)).body.code).toBe('email_taken');
    const wrong = () => anonymous().post('/api/login', { username: user.email, pin: '9753' });
    expect([(await wrong()).body.code, (await wrong()).body.code, (await wrong()).body.code]).toEqual(
      Array(3).fill('invalid_credentials'),
    );
    const locked = await anonymous().post('/api/login', { username: user.email, pin: PIN });
    expect([locked.status, locked.body.code, Number(locked.headers.get('retry-after')) > 800]).toEqual([
      429,
      'too_many_attempts',
      true,
    ]);
  });

  test('403 for a blocked merchant who signs in or sends; their session ends at once', async () => {
    const { client, user } = await merchant();
    expect((await admin.post(`/api/admin/merchants/${user.id}/toggle-block`)).body.isBlocked).toBe(true);
    expect((await client.get('/api/user')).status).toBe(401);
    expect((await client.post('/api/transactions/create', order())).body.code).toBe('account_blocked');
    expect((await anonymous().post('/api/login', { username: user.email, pin: PIN })).body.code).toBe(
      'account_blocked',
    );
  });
});

describe('a transfer', () => {
  test('to a phone settles; the receipt, the list and the timeline agree; the money is debited once', async () => {
    const { client } = await merchant();
    const created = await client.post('/api/transactions/create', order());
    expect(created.status).toBe(201);
    const { id } = created.body.transaction;
    await ended(client, id, 'SETTLED');
    expect(await balances(client)).toEqual({ KES: '99000.00', TZS: '1000000.00' });
    const { body: list } = await client.get('/api/transactions');
    expect(list[0]).toMatchObject({
      id,
      status: 'SETTLED',
      direction: 'KES_TO_TZS',
      sourceAmount: '1000.00',
      targetAmount: '23030.00',
    });
    const { timeline } = (await client.get(`/api/transactions/${id}/timeline`)).body;
    expect(timeline.at(0)).toMatchObject({ status: 'PENDING' });
    expect(timeline.at(-1)).toMatchObject({ status: 'SETTLED' });
    const logs = await until(async () => {
      const { body } = await admin.get(`/api/integration-logs/recent?transactionId=${id}`);
      return body.logs.length >= 2 && body.logs;
    });
    expect(JSON.stringify(logs)).not.toMatch(/Bearer (?!\*)/);
  });

  test('from Tanzania to Kenya settles at the inverse rate', async () => {
    const { client } = await merchant();
    const back = {
      direction: 'TZS_TO_KES',
      sourceAmount: 100_000,
      sourceCurrency: 'TZS',
      targetAmount: 4170,
      targetCurrency: 'KES',
      recipientPhone: '+254703456700',
    };
    const { status, body } = await client.post('/api/transactions/create', order(back));
    expect(status).toBe(201);
    await ended(client, body.transaction.id, 'SETTLED');
    expect((await balances(client)).TZS).toBe('900000.00');
  });

  test('to a number that the network does not know fails, and the money is returned', async () => {
    const { client } = await merchant();
    const { body } = await client.post('/api/transactions/create', order({ recipientPhone: '+255713456089' }));
    await ended(client, body.transaction.id, 'FAILED');
    expect((await balances(client)).KES).toBe('100000.00');
    expect((await client.get(`/api/transactions/${body.transaction.id}`)).body.transaction.status_reason).toContain(
      'does not know this number',
    );
  });

  test('to a network that never answers waits, PENDING, in the stuck list; a retry is queued and cannot pay twice', async () => {
    const { client } = await merchant();
    const { body } = await client.post('/api/transactions/create', order({ recipientPhone: '+255763456129' }));
    const { id } = body.transaction;
    await until(
      async () => {
        const { stuckTransactions } = (await admin.get('/api/admin/stuck-transactions')).body;
        return stuckTransactions.some((item: { transaction: { id: string } }) => item.transaction.id === id);
      },
      { timeoutMs: 20_000 },
    );
    await ended(client, id, 'PENDING');
    expect((await balances(client)).KES).toBe('99000.00');
    expect((await client.post(`/api/admin/transactions/${id}/retry`)).status).toBe(403);
    expect((await admin.post(`/api/admin/transactions/${id}/retry`)).status).toBe(202);
    expect((await admin.post('/api/admin/transactions/0190a000-0000-7000-8000-000000000001/retry')).status).toBe(404);
  });

  test('to a merchant is credited to their wallet, and both see it', async () => {
    const { client } = await merchant();
    const juma = createApiClient(product.address);
    const phoneNumber = `+2557${String(Date.now()).slice(-8)}`;
    const form = {
      name: 'Juma Said',
      email: `${phoneNumber}@example.com`.replace('+', ''),
      phoneNumber,
      pin: PIN,
      country: 'Tanzania',
      defaultCurrency: 'TZS',
    };
    expect((await juma.post('/api/register', form)).status).toBe(201);
    await verifyPhone(juma);
    const { body } = await client.post('/api/transactions/create', order({ recipientPhone: phoneNumber }));
    await ended(client, body.transaction.id, 'SETTLED');
    expect(await balances(juma)).toEqual({ KES: '0.00', TZS: '23030.00' });
    expect((await juma.get('/api/transactions')).body).toMatchObject([
      { id: body.transaction.id, metadata: { transactionType: 'CREDIT' } },
    ]);
    expect((await juma.get(`/api/transactions/${body.transaction.id}`)).status).toBe(200);
    const stranger = (await merchant({})).client;
    expect((await stranger.get(`/api/transactions/${body.transaction.id}`)).status).toBe(404);
  });

  test('a repeated clientTransactionId is 200 and the same transfer; another payload is 409', async () => {
    const { client } = await merchant();
    const body = order();
    const first = await client.post('/api/transactions/create', body);
    const again = await Promise.all(Array.from({ length: 5 }, () => client.post('/api/transactions/create', body)));
    expect(again.map((answer) => [answer.status, answer.body.transaction.id])).toEqual(
      Array(5).fill([200, first.body.transaction.id]),
    );
    expect(
      (await client.post('/api/transactions/create', { ...body, sourceAmount: '2000', targetAmount: '46060' })).body
        .code,
    ).toBe('idempotency_conflict');
  });

  describe('that is invalid', () => {
    // One for all cases: an address may register only a few merchants a minute.
    let client: ApiClient;
    beforeAll(async () => {
      ({ client } = await merchant());
    });

    test.each<[string, Record<string, unknown>, [status: number, code: string, error: string]]>([
      ['no amount', { sourceAmount: '' }, [400, 'validation_failed', 'Amount is required']],
      ['nothing', { sourceAmount: 0 }, [400, 'validation_failed', 'Amount must be greater than 0']],
      ['less than nothing', { sourceAmount: -5 }, [400, 'validation_failed', 'Amount must be greater than 0']],
      ['no number', { recipientPhone: '' }, [400, 'validation_failed', 'Phone number is required']],
      [
        'a leading zero',
        { recipientPhone: '+255012345678' },
        [400, 'validation_failed', 'Please enter a valid 9-digit phone number without leading zero'],
      ],
      [
        'the other country',
        { recipientPhone: '+254712345678' },
        [400, 'validation_failed', "The recipient's number must start with +255 for KES_TO_TZS"],
      ],
      ['no PIN', { pin: '' }, [400, 'validation_failed', 'Please enter your 4-digit PIN']],
      ['half a PIN', { pin: '13' }, [400, 'validation_failed', 'PIN must be exactly 4 numeric digits']],
      [
        'too much',
        { sourceAmount: '99999999', targetAmount: '2302999977' },
        [422, 'insufficient_funds', 'Amount exceeds available balance'],
      ],
      [
        'an old price',
        { targetAmount: '25000' },
        [409, 'rate_changed', 'The exchange rate has changed. Please confirm the new amount.'],
      ],
      [
        'an id with a space',
        { clientTransactionId: 'CLIENT- -1234' },
        [400, 'validation_failed', 'clientTransactionId must be 1 to 100 letters, digits or ._:-'],
      ],
      [
        'a text with a zero byte',
        { clientTransactionId: 'CLIENT-\u0000-1234' },
        [400, 'validation_failed', 'The request has characters that are not text.'],
      ],
    ])('with %s is refused clearly', async (_what, changes, expected) => {
      const { status, body } = await client.post('/api/transactions/create', order(changes));
      expect([status, body.code, body.error]).toEqual(expected);
    });
  });

  test('a quote keeps its price, and a 409 carries the new one', async () => {
    const { client } = await merchant();
    const { body: quote } = await client.post('/api/quotes', { direction: 'KES_TO_TZS', sourceAmount: 1000 });
    expect(quote).toMatchObject({ rate: '23.03', sourceAmount: '1000.00', targetAmount: '23030.00', fee: '0.00' });
    const { body } = await client.post('/api/transactions/create', order({ targetAmount: '1' }));
    expect(body.quote).toMatchObject({ targetAmount: '23030.00', quoteId: expect.any(String) });
    expect((await client.post('/api/transactions/create', order({ quoteId: quote.quoteId }))).status).toBe(201);
  });

  test('a wrong PIN is 401 with the number of attempts left; the third locks', async () => {
    const { client } = await merchant();
    const wrong = async () => (await client.post('/api/transactions/create', order({ pin: '9753' }))).body;
    expect(await wrong()).toMatchObject({ code: 'invalid_pin', attemptsLeft: 2 });
    expect(await wrong()).toMatchObject({ code: 'invalid_pin', attemptsLeft: 1 });
    expect(await wrong()).toMatchObject({ code: 'invalid_pin', attemptsLeft: 0 });
    expect((await client.post('/api/transactions/create', order())).body.code).toBe('too_many_attempts');
  });

  test('429 after thirty in a minute, with Retry-After', async () => {
    const { client } = await merchant();
    const answers = await Promise.all(
      Array.from({ length: 31 }, () =>
        client.post('/api/transactions/create', order({ sourceAmount: '1', targetAmount: '23' })),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(30);
    const limited = answers.find((answer) => answer.status === 429);
    expect(limited?.body.code).toBe('rate_limited');
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('is streamed live, and a reconnected stream receives the events that it missed', async () => {
    const { client } = await merchant();
    const heard = await listen(
      client.cookie,
      async () => (await client.post('/api/transactions/create', order())).body.transaction.id,
    );
    expect(heard.statuses).toEqual(['PENDING', 'PROCESSING', 'SETTLED']);
    const resumed = await listen(client.cookie, async () => heard.id, heard.firstEventId);
    expect(resumed.statuses).toEqual(['PROCESSING', 'SETTLED']);
  });
});

/** Opens a stream, runs `act`, and listens until its transfer has ended. */
async function listen(cookie: string, act: () => Promise<string>, lastEventId?: string) {
  const stop = new AbortController();
  const response = await fetch(`${product.address}/api/events`, {
    headers: { cookie, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(15_000)]),
  });
  const id = await act();
  const statuses: string[] = [];
  let firstEventId = '';
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events.filter((each) => each.includes('event: transaction') && each.includes(id))) {
      firstEventId ||= /^id: (\d+)/m.exec(event)?.[1] ?? '';
      statuses.push(JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}').status);
    }
    if (statuses.at(-1) === 'SETTLED') break;
  }
  stop.abort();
  return { id, statuses, firstEventId };
}

describe('saved recipients', () => {
  test('are named, renamed and deleted only by their owner, and not from another site', async () => {
    const [{ client }, { client: other }] = [await merchant({}), await merchant({})];
    const path = `/api/recipients/${encodeURIComponent('+255712345678')}`;
    expect((await anonymous().get('/api/recipients')).status).toBe(401);
    expect((await anonymous().put(path, { label: 'Asha' })).status).toBe(401);
    expect((await client.put(path, { label: ' Asha ' })).body).toEqual({ phone: '+255712345678', label: 'Asha' });
    expect((await client.put('/api/recipients/0712345678', { label: 'Asha' })).body.code).toBe('validation_failed');
    expect((await client.delete(path, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await other.delete(path)).body).toEqual({ ok: true });
    expect((await other.get('/api/recipients')).body).toEqual({ recipients: [] });
    expect((await client.get('/api/recipients')).body.recipients).toHaveLength(1);
    expect((await client.delete(path)).status).toBe(200);
    expect((await client.get('/api/recipients')).body).toEqual({ recipients: [] });
  });
});

describe('administration', () => {
  const calls: ['get' | 'post', string][] = [
    ['get', '/api/admin/deposits'],
    ['post', '/api/rates/update'],
    ['get', '/api/rates/history'],
    ['get', '/api/admin/merchants'],
    ['post', '/api/admin/merchants/0190a000-0000-7000-8000-000000000001/toggle-block'],
    ['get', '/api/admin/notification-settings'],
    ['get', '/api/admin/system-settings'],
    ['get', '/api/integration-logs/recent'],
    ['get', '/api/admin/stuck-transactions'],
    ['get', '/api/admin/transactions?recipient=0763456789'],
    ['post', '/api/admin/transactions/0190a000-0000-7000-8000-000000000001/retry'],
    ['get', '/api/admin/ledger/audit'],
    ['get', '/api/admin/overview'],
  ];
  const bodies: Record<string, unknown> = { '/api/rates/update': { buyRate: 23.5, markup: 2 } };

  test.each(calls)('%s %s is 401 without a session and 403 for a merchant', async (method, path) => {
    const send = (client: ApiClient) => (method === 'get' ? client.get(path) : client.post(path, bodies[path] ?? {}));
    expect((await send(anonymous())).status).toBe(401);
    expect((await send((await merchant({})).client)).status).toBe(403);
  });

  test('a deposit needs the PIN, is one movement per key, and appears in the list and the books', async () => {
    const deposit = { amount: 500, currency: 'KES', reason: 'cash at the counter', pin: '2468' };
    expect((await admin.post('/api/admin/deposit', { ...deposit, amount: 1.5 })).body.error).toBe(
      'Amount must be a whole number',
    );
    expect((await admin.post('/api/admin/deposit', { ...deposit, reason: ' ' })).body.error).toBe('Reason is required');
    expect((await admin.post('/api/admin/deposit', { ...deposit, pin: '975' })).body.error).toBe(
      'PIN must be at least 4 digits',
    );
    expect((await admin.post('/api/admin/deposit', { ...deposit, pin: '9753975' })).body.error).toBe(
      'PIN must be at most 6 digits',
    );
    expect((await admin.post('/api/admin/deposit', { ...deposit, pin: '9753' })).body.code).toBe('invalid_pin');
    const before = Number((await balances(admin)).KES);
    const key = { 'idempotency-key': `deposit-${Date.now()}` };
    const done = await Promise.all(Array.from({ length: 3 }, () => admin.post('/api/admin/deposit', deposit, key)));
    expect(done.map((answer) => answer.status)).toEqual([201, 201, 201]);
    expect(new Set(done.map((answer) => answer.body.reference)).size).toBe(1);
    expect(Number((await balances(admin)).KES)).toBe(before + 500);
    expect((await admin.get('/api/admin/deposits')).body.deposits[0]).toMatchObject({
      amount: '500.00',
      reason: 'cash at the counter',
    });
    expect((await admin.get('/api/transactions')).body[0]).toMatchObject({
      recipientPhone: 'ADMIN',
      status: 'SETTLED',
      direction: null,
    });
  });

  test('a credit to an unknown merchant is 404, and to a malformed id 400', async () => {
    const credit = (merchantId: string) =>
      admin.post('/api/admin/credit-balance', { merchantId, amount: 1, currency: 'KES' });
    expect((await credit('ZZZZ0000ZZZZ')).status).toBe(404);
    expect((await credit('abcd')).body.error).toBe('Invalid merchant ID format');
  });

  test('a credit is one movement per key, repeated or concurrent, and a different credit under it is 409', async () => {
    const { client, user } = await merchant({});
    const { merchantId } = user.merchantData;
    const credit = (amount: number, key: string) =>
      admin.post('/api/admin/credit-balance', { merchantId, amount, currency: 'KES' }, { 'idempotency-key': key });
    const key = `credit-${merchantId}`;
    const done = await Promise.all(Array.from({ length: 3 }, () => credit(700, key)));
    done.push(await credit(700, key));
    expect(done.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
    expect(new Set(done.map((answer) => answer.body.transactionId)).size).toBe(1);
    expect((await credit(800, key)).body.code).toBe('idempotency_conflict');
    expect((await balances(client)).KES).toBe('700.00');
    await credit(700, `${key}-again`);
    expect((await balances(client)).KES).toBe('1400.00');
  });

  test('the overview shows every service ready, and current figures', async () => {
    const overview = async () => (await admin.get('/api/admin/overview')).body;
    const { client } = await merchant();
    const { transaction } = (await client.post('/api/transactions/create', order())).body;
    await ended(client, transaction.id, 'SETTLED');
    const before = await overview();
    expect(before.parts).toEqual(
      ['gateway', 'identity', 'wallet', 'transfers', 'transfers-worker', 'rates', 'admin', 'integration-log'].map(
        (name) => ({ name, ready: true }),
      ),
    );
    expect(before.balances).toEqual(await balances(admin));
    expect(before.currentRate).toMatchObject({ buyRate: 23.5, markup: 2, sellRate: 23.03 });
    expect(before.transfers.days).toHaveLength(30);
    expect(before.transfers.days.at(-1).settled).toBeGreaterThan(0);
    expect(before.transfers.stuck.count).toBe(
      (await admin.get('/api/admin/stuck-transactions')).body.stuckTransactions.length,
    );
    const deposit = { amount: 10, currency: 'TZS', reason: 'float', pin: '2468' };
    expect((await admin.post('/api/admin/deposit', deposit)).status).toBe(201);
    const after = await overview();
    expect(after.recentDeposits).toEqual({ count: before.recentDeposits.count + 1, days: 7 });
    expect(after.balances).toEqual(await balances(admin));
  });

  test('the overview omits a service that does not answer, and names it', async () => {
    await product.kill('rates', 'SIGSTOP');
    const startedAt = performance.now();
    const answered = admin.get('/api/admin/overview');
    await Promise.allSettled([answered]);
    await product.kill('rates', 'SIGCONT');
    const { status, body } = await answered;
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect([status, body.currentRate]).toEqual([200, null]);
    expect(body.parts.filter((part: { ready: boolean }) => !part.ready)).toEqual([{ name: 'rates', ready: false }]);
    expect(body).toMatchObject({ balances: { KES: expect.any(String) }, recentDeposits: { days: 7 } });
    await until(async () => (await admin.get('/api/admin/overview')).body.currentRate !== null);
  });

  test('a new rate is in force when its change is answered: orders at it are accepted, at the old one refused', async () => {
    const { client: amina } = await merchant();
    const send = (rate: number) =>
      amina.post('/api/transactions/create', order({ sourceAmount: 100, targetAmount: 100 * rate }));
    const others = [21, 30, 20, 25];
    const admins = [admin, await signInApprover(product.address)] as const;
    try {
      for (const rate of others) {
        expect((await admin.post('/api/rates/update', { buyRate: rate, markup: 0 })).status).toBe(200);
        expect((await send(rate + 1)).body.quote).toMatchObject({
          rate: String(rate),
          targetAmount: `${100 * rate}.00`,
        });
        expect((await send(rate)).body.transaction).toMatchObject({ exchange_rate: String(rate) });
      }
      await setAnyRate(admins, { buyRate: 10, markup: 100 });
      expect((await send(10)).body.error).toBe('The amount is too small to send.');
    } finally {
      await setAnyRate(admins, { buyRate: 23.5, markup: 2 });
    }
  });

  test('a retry of an ended transfer is 409', async () => {
    const { client } = await merchant();
    const { body } = await client.post('/api/transactions/create', order());
    await ended(client, body.transaction.id, 'SETTLED');
    expect((await admin.post(`/api/admin/transactions/${body.transaction.id}/retry`)).body.code).toBe('not_retryable');
  });

  test('the ledger holds after all of this', async () => {
    const { body } = await admin.get('/api/admin/ledger/audit');
    expect(body.invariants.filter((invariant: { violations: number }) => invariant.violations > 0)).toEqual([]);
  });
});

describe('the contract', () => {
  test('is published as OpenAPI 3.1 with every call, and is readable', async () => {
    const { body } = await anonymous().get('/api/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/api/login',
        '/api/register',
        '/api/transactions/create',
        '/api/quotes',
        '/api/events',
        '/api/feed/transfers',
        '/api/admin/credit-balance',
        '/api/admin/rate-proposals/{id}/approve',
        '/api/admin/limit-proposals/{id}/approve',
        '/api/admin/overview',
      ]),
    );
    expect(body.paths['/api/transactions/create'].post.responses.default.description).toContain('Any failure');
    expect(body.paths['/api/login'].post.security).toEqual([]);
    const docs = await fetch(`${product.address}/api/docs`);
    expect(docs.status).toBe(200);
    expect(docs.headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    expect(docs.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(docs.headers.get('content-security-policy')).toContain("base-uri 'none'");
  });

  test('every service serves its metrics on its own port, including those that alerts watch', async () => {
    const { services, metricsUrl } = await product.run();
    const { 'payout-simulator': _, gateway: __, ...inner } = services;
    const bases = [metricsUrl, ...Object.values(inner).map(({ port }) => `http://127.0.0.1:${port}`)];
    const texts = await Promise.all(bases.map(async (base) => (await fetch(`${base}/metrics`)).text()));
    for (const text of texts) expect(text).toMatch(/^vuka_outbox_oldest_seconds\{service="[\w-]+"\} [\d.]+$/m);
    const alerts = await readFile(new URL('../../observability/alerts.yml', import.meta.url), 'utf8');
    // Exported elsewhere: backups write a file for node-exporter, and RabbitMQ exports the figures of its queues.
    const elsewhere = /^vuka_(backup_\w+|queue_messages)$/;
    const named = [...alerts.matchAll(/\bvuka_\w+/g)].map(([name]) => name.replace(/_count$/, ''));
    const watched = named.filter((name) => !elsewhere.test(name));
    expect(watched).not.toEqual([]);
    const exposed = texts.join('\n');
    expect(watched.filter((name) => !exposed.includes(`# TYPE ${name} `))).toEqual([]);
  });

  test('metrics and internal routes are not public', async () => {
    for (const path of ['/metrics', '/internal/sessions/check-batch', '/api/../internal/merchants']) {
      const { status, body } = await anonymous().get(path);
      expect(status === 404 || String(body).includes('<!doctype html>')).toBe(true);
    }
  });
});

describe('the holder of a number', () => {
  const holderOf = (client: ApiClient, phone: string) =>
    client.get(`/api/recipients/${encodeURIComponent(phone)}/holder`);

  test('is a masked name for a merchant, and none for the own number or a number unknown here', async () => {
    const [{ client, user }, { client: payeeClient, user: payee }] = [await merchant({}), await merchant({})];
    expect((await holderOf(client, payee.phone)).body).toEqual({ kind: 'phone', name: null });
    await verifyPhone(payeeClient);
    await verifyPhone(client);
    expect((await holderOf(client, payee.phone)).body).toEqual({ kind: 'merchant', name: 'Test M.' });
    expect((await holderOf(client, user.phone)).body).toEqual({ kind: 'phone', name: null });
    expect((await holderOf(client, '+255763456799')).body).toEqual({ kind: 'phone', name: null });
    expect((await holderOf(anonymous(), payee.phone)).status).toBe(401);
    expect((await holderOf(client, '0712345678')).status).toBe(400);
  });

  test('is told twenty times a minute, so that nobody lists the merchants', async () => {
    const { client, user } = await merchant({});
    // One more than two minutes allow, since a minute may end in between.
    const answers = await Promise.all(Array.from({ length: 41 }, () => holderOf(client, user.phone)));
    const told = answers.filter(({ status }) => status === 200);
    expect(told.length).toBeGreaterThanOrEqual(20);
    expect(answers.find(({ status }) => status === 429)?.body.code).toBe('rate_limited');
  });
});
