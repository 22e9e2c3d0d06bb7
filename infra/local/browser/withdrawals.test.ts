import { launchBrowser } from '@vuka/test-kit/launch-browser';
import { until } from '@vuka/test-kit/until';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PIN, type ApiClient, PIN, registerMerchant, signInAdmin, signInApprover } from '../test/api-client.ts';
import { type RunningProduct, startProduct } from '../test/product.ts';

let product: RunningProduct;
let browser: Browser;
let admin: ApiClient;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ SIMULATOR_DELAY_MS: '50' }), launchBrowser()]);
  admin = await signInAdmin(product.address);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function openPage(client: ApiClient, width: number): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.address, viewport: { width, height: 800 } });
  await context.addCookies(client.cookies.map((cookie) => ({ ...cookie, url: product.address })));
  return context.newPage();
}

const merchant = () => registerMerchant(product.address, admin, { KES: 500_000 });
const kes = async (client: ApiClient) => (await client.get('/api/balances')).body.balances.KES;

async function linkPhone(page: Page): Promise<void> {
  await page.goto('/withdraw');
  await page.getByRole('link', { name: 'Link an account' }).click();
  await page.getByLabel('Name on the account').fill('Test Merchant');
  await page.getByLabel('Phone number').fill('0712345700');
  await page.getByLabel('Your PIN').fill(PIN);
  await page.getByRole('button', { name: 'Link account' }).click();
  await page.getByText('M-PESA, +254 712 345 700').waitFor();
}

async function withdraw(page: Page, amount: string): Promise<void> {
  await page.goto('/withdraw');
  await page.getByLabel('Amount').fill(amount);
  await page.getByRole('button', { name: 'Review Withdrawal' }).click();
  await page.getByLabel('Enter your 4-digit PIN').fill(PIN);
  await page.getByRole('button', { name: 'Confirm Withdrawal' }).dblclick();
}

test('a merchant links a phone, withdraws to it with a fee, and the receipt says that it was paid', async () => {
  const fee = {
    transactionType: 'withdrawal',
    currency: 'KES',
    minAmount: 0,
    fixedFee: 30,
    percentageFee: 0,
    pin: ADMIN_PIN,
  };
  const { body: added } = await admin.post('/api/admin/fees', fee);
  const { client } = await merchant();
  const page = await openPage(client, 360);
  await linkPhone(page);
  await until(async () => {
    const { accounts } = (await client.get('/api/linked-accounts')).body;
    return (await client.get(`/api/withdrawals/price?amount=1&linkedAccountId=${accounts[0].id}`)).body.fee === '30.00';
  });
  await withdraw(page, '5000');
  await page.getByText('Withdrawal on its way').waitFor();
  await page.getByRole('link', { name: 'View receipt' }).click();
  // Without a reload: the page gets an event.
  await page.getByText(/^(SETTLED|COMPLETED)$/).waitFor();
  expect(await kes(client)).toBe('494970.00');
  expect((await client.get('/api/withdrawals')).body.withdrawals).toMatchObject([
    { status: 'completed', fee: '30.00' },
  ]);
  expect((await admin.post(`/api/admin/fees/${added.id}/remove`, { pin: ADMIN_PIN })).status).toBe(200);
  await page.context().close();
});

test('a large withdrawal is held until an administrator approves it in the queue, and is then paid', async () => {
  const { client } = await merchant();
  const page = await openPage(client, 360);
  await linkPhone(page);
  await withdraw(page, '150000');
  await page.getByText('Withdrawal waiting for approval').waitFor();
  expect(await kes(client)).toBe('350000.00');
  const desk = await openPage(admin, 1280);
  await desk.goto('/admin/withdrawals');
  await desk.getByText('150,000 KES').waitFor();
  await desk.getByRole('button', { name: 'Approve' }).click();
  await desk.getByLabel('Your PIN').fill(ADMIN_PIN);
  await desk.getByRole('button', { name: 'Approve withdrawal' }).dblclick();
  await desk.getByText('Decision recorded').waitFor();
  await until(async () => (await client.get('/api/withdrawals')).body.withdrawals[0].status === 'completed');
  expect(await kes(client)).toBe('350000.00');
  await desk.context().close();
  await page.context().close();
});

test('a refused withdrawal is returned to the balance, with the reason', async () => {
  const { client } = await merchant();
  const page = await openPage(client, 360);
  await linkPhone(page);
  await withdraw(page, '160000');
  await page.getByText('Withdrawal waiting for approval').waitFor();
  const { withdrawals } = (await client.get('/api/withdrawals')).body;
  const refuse = (caller: ApiClient) =>
    caller.post(`/api/admin/withdrawals/${withdrawals[0].id}/refuse`, {
      reason: 'number not verified',
      pin: ADMIN_PIN,
    });
  expect((await refuse(client)).status).toBe(403);
  await until(async () => (await refuse(admin)).status === 200);
  await until(async () => (await kes(client)) === '500000.00');
  expect((await refuse(admin)).status, 'a repeat of the same decision').toBe(200);
  const approve = () => admin.post(`/api/admin/withdrawals/${withdrawals[0].id}/approve`, { pin: ADMIN_PIN });
  expect((await approve()).body.code).toBe('already_decided');
  expect(await kes(client)).toBe('500000.00');
  await page.getByRole('link', { name: 'View receipt' }).click();
  await page.getByText('Not approved: number not verified').first().waitFor();
  await page.context().close();
});

test('the limit of the system settings applies, and saving without it keeps it', async () => {
  const { withdrawalApprovalLimit, ...settings } = (await admin.get('/api/admin/system-settings')).body;
  expect(withdrawalApprovalLimit).toEqual({ KES: '100000', TZS: '2000000' });
  const { client } = await merchant();
  const account = { accountType: 'mobile_money', accountName: 'Test', phoneNumber: '+254712345701', carrier: 'M-PESA' };
  expect((await client.post('/api/linked-accounts', { ...account, pin: '0000' })).body.code).toBe('invalid_pin');
  const { body: linked } = await client.post('/api/linked-accounts', { ...account, pin: PIN });
  const needsApproval = async () =>
    (await client.get(`/api/withdrawals/price?amount=5000&linkedAccountId=${linked.id}`)).body.requiresApproval;
  expect(await needsApproval()).toBe(false);
  const limit = { KES: '4999', TZS: '2000000' };
  await admin.post('/api/admin/system-settings', { ...settings, withdrawalApprovalLimit: limit });
  await until(needsApproval);
  const { body: kept } = await admin.post('/api/admin/system-settings', settings);
  expect(kept.withdrawalApprovalLimit).toEqual(limit);
  const { body: raised } = await admin.post('/api/admin/system-settings', { ...settings, withdrawalApprovalLimit });
  const approver = await signInApprover(product.address);
  expect(await needsApproval()).toBe(true);
  await approver.post(`/api/admin/limit-proposals/${raised.proposal.id}/approve`, { pin: approver.pin });
  await until(async () => !(await needsApproval()));
});

test('every call is closed to signed-out users, and administrators’ calls are closed to merchants', async () => {
  const { client } = await merchant();
  const id = '0190a000-0000-7000-8000-000000000001';
  const signedOut = (path: string, method = 'GET') => fetch(product.address + path, { method });
  for (const [method, path] of [
    ['GET', '/api/linked-accounts'],
    ['DELETE', `/api/linked-accounts/${id}`],
    ['GET', '/api/withdrawals'],
    ['GET', '/api/admin/withdrawals'],
    ['GET', '/api/admin/fees'],
    ['POST', `/api/admin/withdrawals/${id}/approve`],
    ['POST', '/api/admin/fees/1/remove'],
  ] as const) {
    expect([path, (await signedOut(path, method)).status]).toEqual([path, 401]);
  }
  expect((await client.get('/api/admin/withdrawals')).status).toBe(403);
  expect((await client.get('/api/admin/fees')).status).toBe(403);
  expect((await client.post(`/api/admin/withdrawals/${id}/approve`)).status).toBe(403);
  expect((await client.delete(`/api/linked-accounts/${id}`)).status).toBe(404);
  expect((await admin.post(`/api/admin/withdrawals/${id}/approve`, { pin: ADMIN_PIN })).status).toBe(404);
});
