import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ADMIN_PIN, createApiClient, PIN, verifyPhone } from '../test/api-client.ts';
import { productInBrowser } from './product-in-browser.ts';

const inBrowser = productInBrowser({ SIMULATOR_DELAY_MS: '50' });
const NARROW = { viewport: { width: 360, height: 740 } };

/** Whether the page is wider than the screen. */
const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

test('a merchant with money is told to send it first, and keeps the account', async () => {
  const { client, page } = await inBrowser.openAsMerchant(NARROW);
  await page.goto('/security');
  await page.getByRole('heading', { name: 'Close account' }).click();
  await page.getByRole('button', { name: 'Close my account' }).click();
  await page.getByLabel('PIN to close the account').fill(PIN);
  await page.getByRole('button', { name: 'Close for good' }).click();
  await page.getByText('There is still money in this account. Send or withdraw it first.').waitFor();
  expect((await client.get('/api/user')).status).toBe(200);
});

test('on a narrow phone a merchant closes the account with the code and the PIN, and cannot sign in again', async () => {
  const { client, user } = await inBrowser.newMerchant({});
  await verifyPhone(client);
  const page = await inBrowser.openPage(NARROW, client);
  await page.goto('/security');
  await page.getByRole('heading', { name: 'Close account' }).click();
  await page.getByText(/This cannot be undone/).waitFor();
  await page.getByRole('button', { name: 'Close my account' }).click();
  await page
    .getByRole('heading', { name: 'Close account' })
    .locator('xpath=ancestor::section')
    .getByRole('button', { name: 'Send code' })
    .click();
  const demo = (await page.getByText(/Demonstration: the code is/).textContent()) ?? '';
  await page.getByLabel('6-digit code').fill(/code is (\d{6})/.exec(demo)?.[1] ?? '');
  await page.getByLabel('PIN to close the account').fill(PIN);
  expect(await page.evaluate(overflows)).toBe(false);
  await page.getByRole('button', { name: 'Close for good' }).click();
  await page.getByText('Account closed').waitFor();
  await page.waitForURL('**/auth**');
  const again = await createApiClient(inBrowser.product.address).post('/api/login', { username: user.email, pin: PIN });
  expect([again.status, again.body.reason]).toEqual([401, 'invalid_credentials']);
});

test('on a narrow phone a merchant downloads their data with the PIN', async () => {
  const { user, page } = await inBrowser.openAsMerchant(NARROW);
  await page.goto('/security');
  await page.getByRole('heading', { name: 'Download your data' }).click();
  await page.getByLabel('PIN to download your data').fill(PIN);
  expect(await page.evaluate(overflows)).toBe(false);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^vuka-data-.*\.json$/);
  const data = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(data).toMatchObject({ profile: { email: user.email }, transfers: [{}, {}] });
});

test('an administrator downloads the data of a merchant and closes the account, on a narrow phone', async () => {
  const { user } = await inBrowser.newMerchant({});
  const page = await inBrowser.openPage({ ...NARROW, acceptDownloads: true }, inBrowser.admin);
  await page.goto(`/admin/merchants/${user.id}`);
  await page.getByRole('button', { name: 'Download data' }).click();
  await page.getByLabel('Your PIN').fill(ADMIN_PIN);
  const downloading = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Download data' }).click();
  const data = JSON.parse(await readFile(await (await downloading).path(), 'utf8'));
  expect(data).toMatchObject({ profile: { email: user.email } });
  await page.getByRole('button', { name: 'Close account' }).click();
  await page.getByLabel('Reason').fill('asked by letter');
  await page.getByLabel('Your PIN').fill(ADMIN_PIN);
  expect(await page.evaluate(overflows)).toBe(false);
  await page.getByRole('dialog').getByRole('button', { name: 'Close account' }).click();
  await page.getByText('Account closed').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Closed account' }).waitFor();
});
