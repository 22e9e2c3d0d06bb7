import { randomUUID } from 'node:crypto';
import { AccountExport } from '@vuka/contracts/http/account-export';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAdmin } from './add-admin.ts';
import { type ApiClient, order, PIN, registerMerchant, signInAdmin, verifyPhone } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

let product: RunningProduct;
let admin: ApiClient;
beforeAll(async () => {
  product = await startProduct({ SIMULATOR_DELAY_MS: '50', VUKA_RATE_LIMIT_FACTOR: '2' });
  admin = await signInAdmin(product.address);
}, 90_000);
afterAll(() => product?.stop());

const BANK = {
  accountType: 'bank',
  accountName: 'Test Bank',
  bankName: 'KCB',
  accountNumber: '1188997755',
  currency: 'KES',
};

/** A merchant who has used everything that keeps data about them. */
async function busyMerchant() {
  const { client, user } = await registerMerchant(product.address, admin, { KES: 10_000 });
  await verifyPhone(client);
  expect((await client.put('/api/recipients/+255763456789', { label: 'Mama Asha' })).status).toBe(200);
  const linked = await client.post('/api/linked-accounts', { ...BANK, pin: PIN });
  expect(linked.status).toBe(201);
  const sent = await client.post('/api/transactions/create', order());
  expect(sent.status).toBe(201);
  const withdrawal = { amount: '500', currency: 'KES', linkedAccountId: linked.body.id, pin: PIN };
  const ordered = await client.post('/api/withdrawals', { ...withdrawal, clientTransactionId: `W-${randomUUID()}` });
  expect(ordered.status).toBe(201);
  return { client, user, transferId: sent.body.transaction.id as string };
}

const exportOf = (client: ApiClient, pin = PIN) => client.post('/api/account/export', { pin });

test('a merchant downloads everything that is held about them: every part has what they did', async () => {
  const { client, user, transferId } = await busyMerchant();
  const other = await registerMerchant(product.address, admin, { KES: 500 });
  let answer = await exportOf(client);
  // Messages are written a moment after what they report.
  await until(
    async () => {
      answer = await exportOf(client);
      return answer.body.messages?.length > 0;
    },
    { everyMs: 1_000 },
  );
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringMatching(/^attachment; filename="vuka-data-\d{4}-\d\d-\d\d\.json"$/),
  ]);
  const data = AccountExport.parse(answer.body);
  expect(data.profile).toMatchObject({
    id: user.id,
    email: user.email,
    fullName: 'Test Merchant',
    emailVerifiedAt: null,
  });
  expect(data.profile.phoneVerifiedAt).not.toBeNull();
  expect(data.savedRecipients).toMatchObject([{ phone: '+255763456789', label: 'Mama Asha' }]);
  expect(data.linkedAccounts).toMatchObject([{ bank: { accountNumber: '1188997755' } }]);
  expect(data.transfers.map(({ id }) => id)).toContain(transferId);
  expect(data.transfers.map(({ type }) => type).toSorted()).toEqual(['deposit', 'transfer', 'withdrawal']);
  expect(data.withdrawals).toMatchObject([{ recipientAccount: '1188997755', amount: '500.00' }]);
  expect(data.deposits).toMatchObject([{ amount: '10000.00', currency: 'KES' }]);
  expect(data.wallets.find(({ currency }) => currency === 'KES')).toMatchObject({ moneyIn: '10000.00' });
  for (const part of ['sessions', 'devices', 'codes', 'messages'] as const) expect(data[part], part).not.toEqual([]);
  expect(data.limits.limits.some(({ day }) => Number(day.used) > 0)).toBe(true);
  const text = JSON.stringify(answer.body);
  for (const foreign of [other.user.id, other.user.email, 'admin@vuka.test']) expect(text).not.toContain(foreign);
  // The export contains neither the PIN's verifier nor a code.
  expect(text).not.toMatch(/k1\$|\b\d{6}\b is|code: \d{6}/);
}, 60_000);

test('it takes the right PIN, the own session, and is limited to a few per hour', async () => {
  const { client } = await registerMerchant(product.address, admin, {});
  expect((await exportOf(client, '9753')).body.code).toBe('invalid_pin');
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt++) statuses.push((await exportOf(client)).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

test('support downloads the data of a merchant with their own PIN, which is recorded; finance and merchants do not', async () => {
  const { client, user } = await registerMerchant(product.address, admin, { KES: 100 });
  const path = `/api/admin/merchants/${user.id}/export`;
  const support = await addAdmin(product, 'support@vuka.test', '8093', ['--role', 'support']);
  const finance = await addAdmin(product, 'finance@vuka.test', '8093', ['--role', 'finance']);
  expect((await client.post(path, { pin: PIN })).status).toBe(403);
  expect((await finance.post(path, { pin: '8093' })).status).toBe(403);
  expect((await support.post(path, { pin: '9753' })).status).toBe(401);
  const answer = await support.post(path, { pin: '8093' });
  expect(answer.status).toBe(200);
  const data = AccountExport.parse(answer.body);
  expect([data.profile.email, data.transfers.length]).toEqual([user.email, 1]);
  const trail = async () => (await admin.get('/api/admin/audit-trail?action=user.exported')).body.entries;
  await until(async () => (await trail()).length === 1);
  expect((await trail())[0]).toMatchObject({ actor: { name: 'Second Admin' }, subject: { id: user.id } });
  const seen = AccountExport.parse((await exportOf(client)).body).actionsOfAdministrators;
  expect(seen).toMatchObject([{ action: 'user.exported', reason: null }]);
}, 60_000);
