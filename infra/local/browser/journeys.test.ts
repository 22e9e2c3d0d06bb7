import { randomInt, randomUUID } from 'node:crypto';
import { until } from '@vuka/test-kit/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { confirm, productInBrowser, review, signIn } from './product-in-browser.ts';

const inBrowser = productInBrowser({
  SIMULATOR_DELAY_MS: '4000',
  VUKA_STUCK_AFTER_SECONDS: '4',
  VUKA_PAYOUT_CHECK_SECONDS: '2',
});

/** Registers in the app, and has the administrator credit both wallets. */
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
    const { status } = await inBrowser.admin.post('/api/admin/credit-balance', {
      merchantId: user.merchantData.merchantId,
      amount,
      currency,
    });
    expect(status).toBe(201);
  }
  return email;
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
  const page = await inBrowser.openPage();
  await register(page);
  await page.getByText('100,000').first().waitFor();
  await review(page, { amount: '1000', phone: '763456700' });
  await page.getByText('23,030').first().waitFor();
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
  await openReceipt(page);
  await page
    .getByText(/PROCESSING|PENDING/i)
    .first()
    .waitFor();
  // Without a reload: the page gets an event.
  await page
    .getByText(/SETTLED/i)
    .first()
    .waitFor({ timeout: 15_000 });
  expect(await balance(page)).toBe('99000.00');
});

test('a transfer that the network refuses fails on the receipt, and the money is returned', async () => {
  const page = await inBrowser.openPage();
  await register(page);
  await review(page, { amount: '1000', phone: '713456089' });
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
  await openReceipt(page);
  await page
    .getByText(/FAILED/i)
    .first()
    .waitFor({ timeout: 15_000 });
  await page.getByText('The amount is back in your balance').waitFor();
  expect(await balance(page)).toBe('100000.00');
});

test('an unanswered transfer waits with its money reserved, and the administrator sees it', async () => {
  const page = await inBrowser.openPage();
  await register(page);
  await review(page, { amount: '1000', phone: '763456129' });
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
  await openReceipt(page);
  await page.getByText('Your money is safe').first().waitFor({ timeout: 20_000 });
  expect(await balance(page)).toBe('99000.00');
  const id = page.url().split('/').at(-1);
  await until(async () =>
    (await inBrowser.admin.get('/api/admin/stuck-transactions')).body.stuckTransactions.some(
      (item: { transaction: { id: string } }) => item.transaction.id === id,
    ),
  );
});

test('a double tap and a reload send once', async () => {
  const page = await inBrowser.openPage();
  await register(page);
  await review(page, { amount: '2500', phone: '763456700' });
  await page.getByLabel('Enter your 4-digit PIN').fill('1357');
  await page.getByRole('button', { name: 'Confirm Transfer' }).dblclick();
  await page.getByText('Transaction Initiated').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Review Transfer' }).waitFor();
  const sent = (await page.evaluate(async () => (await fetch('/api/transactions')).json())) as {
    metadata: { isAdminCredit: boolean };
  }[];
  expect(sent.filter((item) => !item.metadata.isAdminCredit)).toHaveLength(1);
});

test('three wrong PINs lock the account, and each shows what happened', async () => {
  const page = await inBrowser.openPage();
  await register(page);
  await review(page, { amount: '100', phone: '763456700' });
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
});

test('signing out leads to the sign-in page, a wrong PIN is reported, a right one leads back', async () => {
  const page = await inBrowser.openPage();
  const email = await register(page);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('You have been successfully logged out.').waitFor();
  await page.waitForURL('**/auth**');
  await signIn(page, email, '9753');
  await page.getByText('Login failed').waitFor();
  await signIn(page, email);
  await page.getByText('Welcome back!').waitFor();
  await page.waitForURL('**/dashboard');
});
