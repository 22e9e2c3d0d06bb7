import { until } from '@vuka/test-kit/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { order, PIN } from '../test/api-client.ts';
import { goOn, productInBrowser, signIn } from './product-in-browser.ts';

const inBrowser = productInBrowser({ SIMULATOR_DELAY_MS: '50' });
const NEW_PIN = '8046';

/** The part of a page with one of the user's contacts. */
const contact = (page: Page, label: string) => page.getByRole('listitem').filter({ hasText: label });

/** Sends a code to the contact and enters it as the demonstration shows it. */
async function verify(page: Page, label: 'Phone' | 'Email'): Promise<void> {
  const row = contact(page, label);
  await row.getByRole('button', { name: `Send code: ${label}` }).click();
  await enterCode(page, /Demonstration: the code is/);
  await row.getByRole('button', { name: 'Confirm' }).click();
  await row.getByText('Verified', { exact: true }).waitFor();
}

async function enterCode(page: Page, hint: RegExp): Promise<void> {
  const text = (await page.getByText(hint).last().textContent()) ?? '';
  await page.getByLabel('6-digit code').fill(/\d{6}/.exec(text)?.[0] ?? '');
}

test('a merchant verifies phone and email, is paid by number, loses the PIN and returns with a new one', async () => {
  const { client, user, page } = await inBrowser.openAsMerchant();
  const { client: payer, page: payerPage } = await inBrowser.openAsMerchant();
  await page.goto('/profile');
  await page.getByRole('link', { name: 'Security' }).click();
  await verify(page, 'Phone');
  await verify(page, 'Email');

  await payerPage.goto('/send');
  await payerPage.getByLabel('Swap currencies').click();
  await payerPage.getByLabel(/You send/).fill('24000');
  await payerPage.getByLabel('Recipient phone').fill(user.phone.slice(4));
  await payerPage.getByText('Test M., a merchant here').waitFor();
  await goOn(payerPage);
  await payerPage.getByText('Test M., a merchant here').waitFor();

  const before = (await client.get('/api/balances')).body.balances.KES;
  const payment = { direction: 'TZS_TO_KES', sourceAmount: '24000', sourceCurrency: 'TZS', targetCurrency: 'KES' };
  const quote = await payer.post('/api/quotes', { direction: 'TZS_TO_KES', sourceAmount: '24000' });
  const { targetAmount } = quote.body;
  const sent = await payer.post(
    '/api/transactions/create',
    order({ ...payment, targetAmount, recipientPhone: user.phone }),
  );
  expect(sent.status).toBe(201);
  await until(async () => (await client.get('/api/balances')).body.balances.KES !== before);

  const elsewhere = await inBrowser.openPage();
  await elsewhere.goto('/auth');
  await elsewhere.getByRole('link', { name: 'Forgot your PIN?' }).click();
  await elsewhere.getByRole('heading', { name: 'Forgot your PIN?' }).waitFor();
  await elsewhere.getByLabel('Email').fill(user.email);
  await elsewhere.getByRole('button', { name: 'Send link and code' }).click();
  await elsewhere.getByText('Check your email and your phone').waitFor();
  const demo = (await elsewhere.getByText(/Demonstration: open the link/).textContent()) ?? '';
  await elsewhere.getByRole('link', { name: 'Open the link' }).click();
  await elsewhere.getByLabel('6-digit code').fill(/\d{6}/.exec(demo)?.[0] ?? '');
  await elsewhere.getByLabel('New PIN', { exact: true }).fill(NEW_PIN);
  await elsewhere.getByLabel('Confirm new PIN').fill(NEW_PIN);
  await elsewhere.getByRole('button', { name: 'Set the new PIN' }).click();
  await elsewhere.getByText('Log in with your new PIN.').waitFor();

  expect((await client.get('/api/user')).status).toBe(401);
  await signIn(elsewhere, user.email, NEW_PIN);
  await elsewhere.getByText('Welcome back!').waitFor();
});

test('a merchant sees where the account is signed in, ends the others, and changes the PIN', async () => {
  const { client, user, page } = await inBrowser.openAsMerchant();
  const other = await inBrowser.openPage();
  await other.goto('/auth');
  await signIn(other, user.email);
  await other.getByText('Welcome back!').waitFor();

  await page.goto('/security');
  await page.getByText('This device').waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByText('Signed out', { exact: true }).waitFor();
  await other.waitForURL('**/auth**');

  await page.getByRole('heading', { name: 'Change your PIN' }).click();
  await page.getByLabel('Current PIN').fill(PIN);
  await page.getByLabel('New PIN', { exact: true }).fill('1990');
  await page.getByLabel('Confirm new PIN').fill('1990');
  await page.getByRole('button', { name: 'Change PIN' }).click();
  await page
    .getByText(/too easy to guess/)
    .first()
    .waitFor();
  await page.getByLabel('New PIN', { exact: true }).fill(NEW_PIN);
  await page.getByLabel('Confirm new PIN').fill(NEW_PIN);
  await page.getByRole('button', { name: 'Change PIN' }).click();
  await page.getByText('PIN changed').waitFor();
  expect((await client.get('/api/user')).status).toBe(200);
});
