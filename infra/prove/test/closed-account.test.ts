import { randomUUID } from 'node:crypto';
import { type ApiClient, createApiClient, order, PIN, signInAdmin, verifyPhone } from '@vuka/local/testing/api-client';
import { type RunningProduct, startProduct } from '@vuka/local/testing/product';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTables } from '#secrets.ts';

let product: RunningProduct;
let admin: ApiClient;
beforeAll(async () => {
  product = await startProduct({ SIMULATOR_DELAY_MS: '50', VUKA_RATE_LIMIT_FACTOR: '10' });
  admin = await signInAdmin(product.address);
}, 90_000);
afterAll(() => product?.stop());

/** Tables that may keep the data: records that the law requires, and messages of the last days. */
const KEPT = [
  'transfers.transactions',
  'transfers.withdrawals',
  'transfers.outbox',
  'admin.admin_deposits',
  'admin.audit_trail',
  'admin.outbox',
  'identity.outbox',
];

/** A merchant whose name, email and number occur nowhere else. */
async function register(person: { name: string; phoneNumber: string }) {
  const client = createApiClient(product.address);
  const email = `nafula-${randomUUID()}@example.com`;
  const form = { ...person, email, pin: PIN, defaultCurrency: 'KES', country: 'Kenya' };
  const { status, body: user } = await client.post('/api/register', form);
  expect(status).toBe(201);
  return { client, user, email };
}

/** The tables that have a row with the trace. */
async function placesOf(trace: RegExp): Promise<string[]> {
  const { url } = await askForServer('postgres');
  const places = new Set<string>();
  for await (const { place, text } of readTables(url, product.databasePrefix)) {
    if (trace.test(text)) places.add(place.replace('table ', ''));
  }
  return [...places].sort();
}

async function balanceOf(client: ApiClient): Promise<string> {
  return (await client.get('/api/balances')).body.balances.KES;
}

test('an account is closed only without money that can be sent, and then nothing of the person is left but the records of payments', async () => {
  const { client, user, email } = await register({ name: 'Nafula Wekesa Barasa', phoneNumber: '+254733987654' });
  const trace = new RegExp(`nafula|barasa|${email}|733987654|1188997755|juma kiongozi|769988776`, 'i');
  await verifyPhone(client);
  // A name and a number that only this merchant saved.
  expect((await client.put('/api/recipients/+255769988776', { label: 'Juma Kiongozi' })).status).toBe(200);
  const bank = { accountType: 'bank', accountName: 'Nafula Barasa', bankName: 'KCB', accountNumber: '1188997755' };
  const linked = await client.post('/api/linked-accounts', { ...bank, branchCode: '017', currency: 'KES', pin: PIN });
  expect(linked.status).toBe(201);
  const credit = { merchantId: user.merchantData.merchantId, amount: 1_000, currency: 'KES' };
  expect((await admin.post('/api/admin/credit-balance', credit)).status).toBe(201);

  const { body: codeSent } = await client.post('/api/account/close-code');
  const close = (pin = PIN) => client.post('/api/account/close', { pin, code: codeSent.demoCode });
  expect((await close()).body).toMatchObject({ code: 'account_not_empty', reason: 'account_has_money' });
  // The rest is less than a whole unit: nothing can be done with it.
  const priced = { direction: 'KES_TO_TZS', sourceAmount: '999.55' };
  const { targetAmount } = (await client.post('/api/quotes', priced)).body;
  const sent = await client.post('/api/transactions/create', order({ ...priced, targetAmount }));
  expect(sent.status).toBe(201);
  const isSettled = async () =>
    (await client.get(`/api/transactions/${sent.body.transaction.id}`)).body.transaction.status === 'SETTLED';
  await until(isSettled, { timeoutMs: 20_000 });
  expect(await balanceOf(client)).toBe('0.45');
  expect(await placesOf(trace)).toEqual(expect.arrayContaining(['identity.users', 'transfers.bank_accounts']));

  const other = createApiClient(product.address);
  await other.post('/api/login', { username: email, pin: PIN });
  const wrong = await close('9753');
  expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_pin']);
  expect((await close()).status).toBe(200);

  for (const session of [client, other]) expect((await session.get('/api/user')).status).toBe(401);
  await until(async () => (await placesOf(trace)).every((place) => KEPT.includes(place)), { timeoutMs: 20_000 });
  const answers = [email, `unknown-${email}`].map(async (username) => {
    const { status, body } = await createApiClient(product.address).post('/api/login', { username, pin: PIN });
    return [status, body.reason];
  });
  const [old, unknown] = await Promise.all(answers);
  expect(old).toEqual(unknown);
  const detail = await admin.get(`/api/admin/merchants/${user.id}`);
  expect(detail.body.merchant.fullName).toBe('Closed account');
}, 180_000);

test('an administrator closes a merchant’s account, which is complete after a power cut', async () => {
  const { client, user, email } = await register({ name: 'Wambui Njeri Kamau', phoneNumber: '+254733111333' });
  const bank = { accountType: 'bank', accountName: 'Wambui Kamau', bankName: 'KCB', accountNumber: '2277445566' };
  await client.post('/api/linked-accounts', { ...bank, branchCode: '017', currency: 'KES', pin: PIN });
  const asked = { pin: '2468', reason: 'asked by letter' };
  const closed = await admin.post(`/api/admin/merchants/${user.id}/close`, asked);
  await product.killAll();
  expect([closed.status, closed.body]).toEqual([200, { ok: true }]);
  await product.startAgain();
  await product.untilReady();
  const trace = new RegExp(`wambui|kamau|${email}|733111333|2277445566`, 'i');
  await until(async () => (await placesOf(trace)).every((place) => KEPT.includes(place)), { timeoutMs: 60_000 });
  const again = await signInAdmin(product.address);
  const trail = async () => (await again.get('/api/admin/audit-trail?action=user.closed')).body.entries ?? [];
  await until(async () => (await trail()).length > 0, { timeoutMs: 20_000 });
  expect(JSON.stringify(await trail())).toContain('asked by letter');
  expect(JSON.stringify(await trail())).not.toMatch(/wambui/i);
}, 180_000);
