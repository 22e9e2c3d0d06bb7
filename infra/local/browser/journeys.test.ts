import { randomInt, randomUUID } from 'node:crypto';
import { launchBrowser } from '@vuka/test-kit/launch-browser';
import { until } from '@vuka/test-kit/until';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ApiClient, signInAdmin } from '../test/api-client.ts';
import { type RunningProduct, startProduct } from '../test/product.ts';

let product: RunningProduct;
let browser: Browser;
let admin: ApiClient;
beforeAll(async () => {
  [product, browser] = await Promise.all([
    startProduct({ SIMULATOR_DELAY_MS: '4000', VUKA_STUCK_AFTER_SECONDS: '4', VUKA_PAYOUT_CHECK_SECONDS: '2' }),
    launchBrowser(),
  ]);
  admin = await signInAdmin(product.address);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const problems: string[] = [];
afterEach(() => {
  expect(problems.splice(0)).toEqual([]);
});

/** A phone-sized browser of its own; what goes wrong in it fails the test. */
async function openPage(): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.address, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) problems.push(message.text());
  });
  return page;
}

/** Registers through the screens and has the administrator credit both wallets. */
async function register(page: Page): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await page.goto('/');
  await page.waitForURL('**/auth**');
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('Full name').fill('Amina Otieno');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Phone number').fill(`+25411${randomInt(1_000_000, 9_999_999)}`);
  await page.getByLabel('Country').fill('Kenya');
  await page.getByLabel('Default currency').selectOption('KES');
  await page.getByLabel('4-digit PIN').fill('1357');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Registration successful').waitFor();
  await page.waitForURL('**/dashboard');
  const user = (await page.evaluate(async () => (await fetch('/api/user')).json())) as {
    merchantData: { merchantId: string };
  };
  for (const [currency, amount] of [
    ['KES', 100_000],
    ['TZS', 1_000_000],
  ]) {
    const { status } = await admin.post('/api/admin/credit-balance', {
      merchantId: user.merchantData.merchantId,
      amount,
      currency,
    });
    expect(status).toBe(201);
  }
  return email;
}

/** Fills in the details of a transfer and goes on to the confirm step. */
async function review(page: Page, amount: string, phone: string) {
  await page.goto('/send');
  await page
    .getByLabel(/You send|Amount/)
    .first()
    .fill(amount);
  await page.getByLabel(/phone/i).first().fill(phone);
  await page.getByRole('button', { name: 'Review Transfer' }).click();
  await page.getByRole('heading', { name: 'Confirm Transfer' }).waitFor();
}

async function confirm(page: Page, pin = '1357') {
  await page.getByLabel('Enter your 4-digit PIN').fill(pin);
  await page.getByRole('button', { name: 'Confirm Transfer' }).click();
}

/** The receipt of the newest transfer. */
async function openReceipt(page: Page) {
  await page.goto('/transactions');
  await page.locator('a[href^="/transaction/"]').first().click();
  await page.getByText('Transaction ID').first().waitFor();
}

const balance = async (page: Page) => {
  const answer = (await page.evaluate(async () => (await fetch('/api/balances')).json())) as {
    balances: { KES: string };
  };
  return answer.balances.KES;
};

test('a merchant registers, is credited, sends to Tanzania, and sees it settle live on the receipt', async () => {
  const page = await openPage();
  await register(page);
  await page.getByText('100,000').first().waitFor();
  await review(page, '1000', '763456700');
  await page.getByText('23,030').first().waitFor();
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
  await openReceipt(page);
  await page
    .getByText(/PROCESSING|PENDING/i)
    .first()
    .waitFor();
  // No reload: the page is told.
  await page
    .getByText(/SETTLED/i)
    .first()
    .waitFor({ timeout: 15_000 });
  expect(await balance(page)).toBe('99000.00');
  await page.context().close();
}, 60_000);

test('a transfer that the network refuses fails on the receipt, and the money is back', async () => {
  const page = await openPage();
  await register(page);
  await review(page, '1000', '713456089');
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
  await openReceipt(page);
  await page
    .getByText(/FAILED/i)
    .first()
    .waitFor({ timeout: 15_000 });
  await page.getByText('The amount is back in your balance').waitFor();
  expect(await balance(page)).toBe('100000.00');
  await page.context().close();
}, 60_000);

test('a transfer that is never answered waits, its money reserved, and the administrator sees it', async () => {
  const page = await openPage();
  await register(page);
  await review(page, '1000', '763456129');
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
  await openReceipt(page);
  await page.getByText('Your money is safe').first().waitFor({ timeout: 20_000 });
  expect(await balance(page)).toBe('99000.00');
  const id = page.url().split('/').at(-1);
  await until(async () =>
    (await admin.get('/api/admin/stuck-transactions')).body.stuckTransactions.some(
      (item: { transaction: { id: string } }) => item.transaction.id === id,
    ),
  );
  await page.context().close();
}, 60_000);

test('a double tap and a reload send once', async () => {
  const page = await openPage();
  await register(page);
  await review(page, '2500', '763456700');
  await page.getByLabel('Enter your 4-digit PIN').fill('1357');
  await page.getByRole('button', { name: 'Confirm Transfer' }).dblclick();
  await page.getByText('Transaction Initiated').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Review Transfer' }).waitFor();
  const sent = (await page.evaluate(async () => (await fetch('/api/transactions')).json())) as {
    metadata: { isAdminCredit: boolean };
  }[];
  expect(sent.filter((item) => !item.metadata.isAdminCredit)).toHaveLength(1);
  await page.context().close();
}, 60_000);

test('three wrong PINs lock, and each says what happened', async () => {
  const page = await openPage();
  await register(page);
  await review(page, '100', '763456700');
  for (let attempt = 0; attempt < 3; attempt++) {
    await confirm(page, '9753');
    await page
      .getByText(/Invalid PIN|Invalid credentials/)
      .first()
      .waitFor();
  }
  await confirm(page);
  await page
    .getByText(/Too many wrong PINs/)
    .first()
    .waitFor();
  expect(await balance(page)).toBe('100000.00');
  await page.context().close();
}, 60_000);

test('signing out leads to the sign-in page, a wrong PIN is told, a right one leads back', async () => {
  const page = await openPage();
  const email = await register(page);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('You have been successfully logged out.').waitFor();
  await page.waitForURL('**/auth**');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/PIN/).first().fill('9753');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Login failed').waitFor();
  await page.getByLabel(/PIN/).first().fill('1357');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Welcome back!').waitFor();
  await page.waitForURL('**/dashboard');
  await page.context().close();
}, 60_000);
