import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { addAdmin } from '../test/add-admin.ts';
import { ADMIN_PIN, type ApiClient, PIN } from '../test/api-client.ts';
import { LAPTOP, productInBrowser } from './product-in-browser.ts';

const SECOND_PIN = '8642';
const LARGE = 10_000_001;
const inBrowser = productInBrowser({ SIMULATOR_DELAY_MS: '50' });
let second: ApiClient;
beforeAll(async () => {
  second = await addAdmin(inBrowser.product, 'second@vuka.test', SECOND_PIN);
}, 60_000);

const kes = async (client: ApiClient) => (await client.get('/api/balances')).body.balances.KES;
const credit = (merchantId: string, amount: number, key = crypto.randomUUID()) =>
  inBrowser.admin.post(
    '/api/admin/credit-balance',
    { merchantId, amount, currency: 'KES' },
    { 'idempotency-key': key },
  );
const entries = async (query: string) => (await inBrowser.admin.get(`/api/admin/audit-trail?${query}`)).body.entries;

test('a large credit moves once a second administrator approves it, and never by its requester', async () => {
  const { client, user } = await inBrowser.newMerchant({});
  const maker = await inBrowser.openPage({ viewport: LAPTOP }, inBrowser.admin);
  await maker.goto('/admin/credit-merchant');
  await maker.getByLabel('Merchant ID').fill(user.merchantData.merchantId);
  await maker.getByLabel('Amount').fill(String(LARGE));
  await maker.getByRole('button', { name: /^Credit (balance|\d)/ }).dblclick();
  await maker.getByText('Credit waits for approval').waitFor();
  await maker.getByText('another administrator has to decide on it').waitFor();
  expect(await kes(client)).toBe('0.00');

  const checker = await inBrowser.openPage({ viewport: LAPTOP }, second);
  await checker.goto('/admin/credit-merchant');
  const row = checker.getByRole('listitem').filter({ hasText: user.merchantData.merchantId });
  await row.getByText('10,000,001 KES').waitFor();
  await row.getByRole('button', { name: 'Approve' }).click();
  await checker.getByLabel('Your PIN').fill('9753');
  await checker.getByRole('button', { name: 'Approve credit' }).click();
  await checker.getByText('Invalid PIN').waitFor();
  expect(await kes(client)).toBe('0.00');
  await checker.getByLabel('Your PIN').fill(SECOND_PIN);
  await checker.getByRole('button', { name: 'Approve credit' }).dblclick();
  await checker.getByText('Decision recorded').waitFor();
  expect(await kes(client)).toBe('10000001.00');
  await checker.getByLabel('Status').selectOption('approved');
  await row.getByRole('link', { name: 'Receipt' }).waitFor();
  await until(async () => (await entries('action=credit.approved')).length === 1);
  expect((await entries('action=credit.requested'))[0].actor.name).toBe('Vuka Admin');
  expect((await entries('action=credit.approved'))[0].actor.name).toBe('Second Admin');
});

test('a refused credit moves nothing, and its requester sees the reason', async () => {
  const { client, user } = await inBrowser.newMerchant({});
  const { status, body } = await credit(user.merchantData.merchantId, LARGE);
  expect([status, body.credit.status, body.credit.isOwn]).toEqual([202, 'awaiting_approval', true]);
  const checker = await inBrowser.openPage({ viewport: LAPTOP }, second);
  await checker.goto('/admin/credit-merchant');
  const row = checker.getByRole('listitem').filter({ hasText: user.merchantData.merchantId });
  await row.getByRole('button', { name: 'Refuse' }).click();
  await checker.getByLabel('Reason').fill('no contract yet');
  await checker.getByLabel('Your PIN').fill(SECOND_PIN);
  await checker.getByRole('button', { name: 'Refuse credit' }).click();
  await checker.getByText('Decision recorded').waitFor();
  expect(await kes(client)).toBe('0.00');
  const maker = await inBrowser.openPage({ viewport: LAPTOP }, inBrowser.admin);
  await maker.goto('/admin/credit-merchant');
  await maker.getByLabel('Status').selectOption('refused');
  await maker.getByText('no contract yet').waitFor();
});

test('two concurrent decisions count as one, ten approvals make one movement, and the ledger audit passes', async () => {
  const third = await addAdmin(inBrowser.product, 'third@vuka.test', SECOND_PIN);
  const { client, user } = await inBrowser.newMerchant({});
  const key = crypto.randomUUID();
  const asked = await Promise.all([1, 2, 3].map(() => credit(user.merchantData.merchantId, LARGE, key)));
  expect(new Set(asked.map(({ body }) => body.credit.id)).size).toBe(1);
  const approve = (admin: ApiClient, pin: string) =>
    admin.post(`/api/admin/credits/${asked[0]?.body.credit.id}/approve`, { pin });
  expect(await approve(inBrowser.admin, ADMIN_PIN)).toMatchObject({
    status: 403,
    body: { error: 'You requested this credit. Another administrator must decide.' },
  });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => approve(n % 2 ? second : third, SECOND_PIN)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409, 409, 409, 409, 409]);
  expect(await kes(client)).toBe('10000001.00');
  expect((await client.get('/api/transactions')).body).toHaveLength(1);
  expect((await credit(user.merchantData.merchantId, LARGE, key)).body.credit.status).toBe('approved');
  expect(await kes(client)).toBe('10000001.00');
  expect((await inBrowser.admin.get('/api/admin/ledger/audit')).body.holds).toBe(true);
});

test('a credit whose service was killed between the decision and the movement is completed once, automatically', async () => {
  const { client, user } = await inBrowser.newMerchant({});
  const { id } = (await credit(user.merchantData.merchantId, LARGE)).body.credit;
  // The ledger is up when the decision is made, and then unavailable for the movement.
  const { services } = await inBrowser.product.run();
  const books = new pg.Client({ connectionString: services.transfers?.databaseUrl });
  await books.connect();
  await books.query('begin; lock table transactions in share row exclusive mode');
  const answer = await second.post(`/api/admin/credits/${id}/approve`, { pin: SECOND_PIN });
  await inBrowser.product.kill('admin');
  await books.end();
  expect(answer.status).toBe(503);
  expect(answer.body.error).toContain('Please do not enter it again.');
  const approved = async () => {
    const { body } = await second.get('/api/admin/credits?status=approved');
    return body.credits?.find((made: { id: string }) => made.id === id);
  };
  await until(async () => (await approved())?.transactionId, { timeoutMs: 60_000 });
  await until(async () => (await kes(client)) === '10000001.00');
  expect((await client.get('/api/transactions')).body).toMatchObject([{ id: (await approved()).transactionId }]);
}, 90_000);

test('every decision is refused without the PIN, with a wrong one, and to users who are not administrators', async () => {
  const { client } = await inBrowser.newMerchant({});
  const id = '0190a000-0000-7000-8000-000000000001';
  const fee = { transactionType: 'transfer', currency: 'KES', minAmount: 0, fixedFee: 1, percentageFee: 0 };
  for (const [path, body] of [
    [`/api/admin/credits/${id}/approve`, {}],
    [`/api/admin/credits/${id}/refuse`, { reason: 'because' }],
    [`/api/admin/rate-proposals/${id}/approve`, {}],
    [`/api/admin/rate-proposals/${id}/refuse`, { reason: 'because' }],
    [`/api/admin/limit-proposals/${id}/approve`, {}],
    [`/api/admin/limit-proposals/${id}/refuse`, { reason: 'because' }],
    [`/api/admin/withdrawals/${id}/approve`, {}],
    [`/api/admin/withdrawals/${id}/refuse`, { reason: 'because' }],
    [`/api/admin/withdrawals/${id}/fail`, { reason: 'because' }],
    [`/api/admin/withdrawals/${id}/complete`, { reference: 'FT26001' }],
    ['/api/admin/fees', fee],
    ['/api/admin/fees/999999/remove', {}],
    [`/api/admin/queues/admin.audit-trail/dead/${id}/drop`, { reason: 'because' }],
    [`/api/admin/queues/admin.audit-trail/dead/${id}/requeue`, { reason: 'because' }],
  ] as const) {
    const signedOut = await fetch(inBrowser.product.address + path, { method: 'POST' });
    expect([path, signedOut.status]).toEqual([path, 401]);
    expect([path, (await client.post(path, { ...body, pin: PIN })).status]).toEqual([path, 403]);
    const without = await second.post(path, body);
    expect([path, without.status, without.body.error]).toEqual([path, 400, 'PIN must be 4 digits']);
    const wrong = await second.post(path, { ...body, pin: '9753' });
    expect([path, wrong.body.code]).toEqual([path, 'invalid_pin']);
    // A correct PIN resets the count of wrong ones, so that the next path is not locked.
    const right = await second.post(path, { ...body, pin: SECOND_PIN });
    expect([path, [201, 404].includes(right.status)]).toEqual([path, true]);
  }
  for (const { id: fee } of (await second.get('/api/admin/fees')).body.fees) {
    await second.post(`/api/admin/fees/${fee}/remove`, { pin: SECOND_PIN });
  }
  expect((await second.get('/api/admin/credits?status=done')).body.error).toBe(
    'Status must be awaiting_approval, approved or refused',
  );
});
