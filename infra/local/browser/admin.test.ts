import { until } from '@vuka/test-kit/until';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createApiClient, order, PIN, setAnyRate, signInApprover } from '../test/api-client.ts';
import { LAPTOP, productInBrowser } from './product-in-browser.ts';

const inBrowser = productInBrowser({
  SIMULATOR_DELAY_MS: '50',
  VUKA_STUCK_AFTER_SECONDS: '3',
  VUKA_PAYOUT_CHECK_SECONDS: '1',
});
let page: Page;
beforeAll(async () => {
  page = await inBrowser.openPage({ viewport: LAPTOP }, inBrowser.admin);
});

test('the dashboard shows live figures, and every service is up', async () => {
  await page.goto('/admin');
  await page.getByText('23.5 TZS/KES').waitFor();
  await page.getByText('Active', { exact: true }).waitFor();
  await page.getByText('All 8 services are up').waitFor();
  await page.getByText('Every rule of the ledger holds').waitFor();
  await page.getByRole('img', { name: 'Transfers per day' }).waitFor();
});

test('a page whose link is at the end of the navigation opens at its top, with the link in view', async () => {
  const low = await inBrowser.openPage({ viewport: { width: 1280, height: 800 } }, inBrowser.admin);
  await low.goto('/admin/settings');
  await low.getByRole('heading', { name: 'Administrators' }).waitFor();
  // This link is the last to appear, and moves the others.
  await low.getByRole('link', { name: 'Failure Lab' }).waitFor();
  const { y = 0, height = 0 } = (await low.getByRole('link', { name: 'Admin Settings' }).boundingBox()) ?? {};
  expect(y + height).toBeLessThan(800);
  expect(await low.evaluate(() => window.scrollY)).toBe(0);
});

test('the admin area is closed to a merchant', async () => {
  const { client } = await inBrowser.newMerchant();
  const closed = await inBrowser.openPage({ viewport: LAPTOP }, client);
  await closed.goto('/admin/merchants');
  await closed.getByRole('heading', { name: 'You do not have access to this page' }).waitFor();
});

test('a deposit is in the balance and in the history', async () => {
  const before = Number((await inBrowser.admin.get('/api/balances')).body.balances.KES);
  await page.goto('/admin/deposits');
  await page.getByLabel('Amount').fill('750');
  await page.getByLabel('Reason').fill('float of the day');
  await page.getByLabel('Your PIN').fill('2468');
  await page.getByRole('button', { name: 'Make deposit' }).dblclick();
  await page.getByText('Deposit successful').waitFor();
  await page.getByRole('cell', { name: 'float of the day' }).waitFor();
  expect(Number((await inBrowser.admin.get('/api/balances')).body.balances.KES)).toBe(before + 750);
});

async function setRate(buyRate: string): Promise<void> {
  await page.goto('/admin/exchange-rates');
  await page.getByRole('cell', { name: 'Vuka Admin' }).first().waitFor();
  await page.getByLabel('Provider buy rate').fill(buyRate);
  await page.getByLabel('Markup percent').fill('2');
}

test('a new rate prices the next quote of a merchant; a large change is confirmed first', async () => {
  const { client } = await inBrowser.newMerchant();
  const quotedRate = async () =>
    (await client.post('/api/quotes', { direction: 'KES_TO_TZS', sourceAmount: 1000 })).body.rate;
  await setRate('24');
  expect(await page.getByLabel('Sell rate', { exact: true }).textContent()).toBe('23.520');
  await page.getByRole('button', { name: 'Update rates' }).click();
  await page.getByText('Rates Updated').waitFor();
  await until(async () => (await quotedRate()) === '23.52');
  await setRate('30');
  await page.getByRole('button', { name: 'Update rates' }).click();
  await page.getByLabel('Type the new buy rate, 30, to confirm').fill('30');
  await page.getByRole('button', { name: 'Change the rate' }).click();
  await page.getByText('1 KES = 29.400 TZS from now on').waitFor();
  await until(async () => (await quotedRate()) === '29.4');
  await inBrowser.admin.post('/api/rates/update', { buyRate: '23.5', markup: '2' });
  await until(async () => (await quotedRate()) === '23.03');
});

test('a rate that changes by more than half waits for another administrator, who approves it with the PIN', async () => {
  const { client } = await inBrowser.newMerchant();
  const quotedRate = async () =>
    (await client.post('/api/quotes', { direction: 'KES_TO_TZS', sourceAmount: 1000 })).body.rate;
  const before = await quotedRate();
  await setRate('47');
  await page.getByRole('button', { name: 'Update rates' }).click();
  await page.getByLabel('Type the new buy rate, 47, to confirm').fill('47');
  await page.getByRole('button', { name: 'Change the rate' }).click();
  await page.getByText('The current rate stays in force until another administrator approves it.').waitFor();
  const waiting = page.getByRole('listitem').filter({ hasText: 'Buy rate from 23.500 to 47.000' });
  await waiting.getByText('another administrator has to decide on it').waitFor();
  expect(await waiting.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  expect(await quotedRate()).toBe(before);

  const approver = await signInApprover(inBrowser.product.address);
  const other = await inBrowser.openPage({ viewport: LAPTOP }, approver);
  await other.goto('/admin/exchange-rates');
  const proposal = other.getByRole('listitem').filter({ hasText: 'Buy rate from 23.500 to 47.000' });
  await proposal.getByText('23.500 to 47.000 (+100.0%)').waitFor();
  await proposal.getByText('Vuka Admin').waitFor();
  await proposal.getByRole('button', { name: 'Approve' }).click();
  await other.getByLabel('Your PIN').fill(approver.pin);
  await other.getByRole('button', { name: 'Approve the change' }).dblclick();
  await other.getByText('Decision recorded').waitFor();
  await until(async () => (await quotedRate()) === '46.06');
  await other.getByRole('cell', { name: '46.060' }).waitFor();
  await setAnyRate([approver, inBrowser.admin], { buyRate: 23.5, markup: 2 });
  await until(async () => (await quotedRate()) === '23.03');
  await other.context().close();
});

test('a credit is seen by the merchant at once', async () => {
  const { client, user } = await inBrowser.newMerchant({});
  const seen = await inBrowser.openPage({ viewport: LAPTOP }, client);
  await seen.goto('/dashboard');
  await seen.getByText('Recent Transactions').waitFor();
  await page.goto('/admin/credit-merchant');
  await page.getByLabel('Merchant ID').fill(user.merchantData.merchantId);
  await page.getByLabel('Amount').fill('43210');
  await page.getByRole('button', { name: /^Credit (balance|\d)/ }).dblclick();
  await page.getByText('Balance credited').waitFor();
  // Without a reload: the page gets an event.
  await seen.getByText('43,210').first().waitFor();
  expect((await client.get('/api/balances')).body.balances.KES).toBe('43210.00');
});

test('a block ends the merchant’s session in an open page; once unblocked, they sign in again', async () => {
  const { client, user } = await inBrowser.newMerchant();
  const used = await inBrowser.openPage({ viewport: LAPTOP }, client);
  await used.goto('/dashboard');
  await used.getByText('Recent Transactions').waitFor();
  await page.goto('/admin/merchants');
  await page.getByLabel('Search merchants').fill(user.merchantData.merchantId);
  await page.getByText('1 merchant', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Block Test Merchant' }).click();
  await page.getByRole('button', { name: 'Block merchant' }).click();
  await page.getByText('Account status updated').waitFor();
  await used.waitForURL('**/auth**');
  const signIn = async () =>
    (await createApiClient(inBrowser.product.address).post('/api/login', { username: user.email, pin: PIN })).status;
  expect(await signIn()).toBe(403);
  await page.getByRole('button', { name: 'Unblock Test Merchant' }).click();
  await page.getByRole('button', { name: 'Unblock merchant' }).click();
  await page.getByText('Test Merchant can sign in and send again').waitFor();
  expect(await signIn()).toBe(200);
});

test('system settings take effect: after one wrong PIN an account is locked', async () => {
  const wrongThenRight = async () => {
    const { user } = await inBrowser.newMerchant();
    const login = (pin: string) =>
      createApiClient(inBrowser.product.address).post('/api/login', { username: user.email, pin });
    await login('9753');
    return (await login(PIN)).status;
  };
  expect(await wrongThenRight()).toBe(200);
  await page.goto('/admin/settings');
  await page.getByRole('tab', { name: 'System' }).click();
  await page.getByLabel('Max PIN attempts').fill('1');
  await page.getByRole('button', { name: 'Save system settings' }).click();
  await page.getByText('Settings Updated').waitFor();
  await until(async () => (await wrongThenRight()) === 429);
  await page.getByLabel('Max PIN attempts').fill('3');
  await page.getByRole('button', { name: 'Save system settings' }).click();
  await until(async () => (await wrongThenRight()) === 200);
});

test('notification settings are saved', async () => {
  const open = async () => {
    await page.goto('/admin/settings');
    await page.getByRole('tab', { name: 'Notifications' }).click();
  };
  await open();
  await page.getByRole('switch', { name: 'SMS notifications' }).uncheck();
  await page.getByRole('button', { name: 'Save notification settings' }).click();
  await page.getByText('Settings Updated').waitFor();
  await open();
  await page.getByRole('switch', { name: 'Login alerts' }).waitFor();
  expect(await page.getByRole('switch', { name: 'SMS notifications' }).isChecked()).toBe(false);
  expect(await page.getByRole('switch', { name: 'Login alerts' }).isChecked()).toBe(true);
});

test('a changed PIN replaces the old one', async () => {
  const change = async (current: string, next: string) => {
    await page.goto('/admin/settings');
    await page.getByLabel('Current PIN').fill(current);
    await page.getByLabel('New PIN', { exact: true }).fill(next);
    await page.getByLabel('Confirm new PIN').fill(next);
    await page.getByRole('button', { name: 'Change PIN' }).click();
    await page.getByText('PIN Changed').waitFor();
  };
  const deposit = async (pin: string) =>
    (await inBrowser.admin.post('/api/admin/deposit', { amount: 1, currency: 'KES', reason: 'check', pin })).status;
  await change('2468', '8642');
  expect(await deposit('2468')).toBe(401);
  expect(await deposit('8642')).toBe(201);
  await change('8642', '2468');
  expect(await deposit('2468')).toBe(201);
});

test('the calls of a real transfer are in the logs, with secrets masked', async () => {
  const { client } = await inBrowser.newMerchant({ KES: 5_000 });
  const { id } = (await client.post('/api/transactions/create', order())).body.transaction;
  await until(
    async () => (await inBrowser.admin.get(`/api/integration-logs/recent?transactionId=${id}`)).body.logs.length >= 2,
  );
  await page.goto('/admin/integration-logs');
  await page.getByLabel('Filter by transaction ID').fill(id);
  await page.locator('summary').click();
  await page.getByRole('button', { name: /initiate/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/23030/).waitFor();
  await dialog.getByRole('tab', { name: 'Response' }).click();
  await dialog.getByText(/ACCEPTED/).waitFor();
  expect(await dialog.textContent()).not.toMatch(/Bearer (?!\*)/);
});

test('a stuck transfer is found by its id and queued for a retry', async () => {
  const { client } = await inBrowser.newMerchant({ KES: 5_000 });
  const sent = await client.post('/api/transactions/create', order({ recipientPhone: '+255763456129' }));
  const { id } = sent.body.transaction;
  await until(
    async () =>
      (await inBrowser.admin.get('/api/admin/stuck-transactions')).body.stuckTransactions.some(
        (item: { transaction: { id: string } }) => item.transaction.id === id,
      ),
    { timeoutMs: 20_000 },
  );
  await page.goto('/admin/transaction-recovery');
  await page.getByLabel('Filter by transaction ID').fill(id.toUpperCase());
  await page.getByRole('cell', { name: '1,000 KES → 23,030 TZS' }).waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText(`Transaction ${id} has been successfully queued for retry.`).waitFor();
  expect((await client.get('/api/balances')).body.balances.KES).toBe('4000.00');
});
