import { until } from '@vuka/test-kit/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN_PIN } from '../test/api-client.ts';
import { untilPinIsStale } from '../test/stale-pin.ts';
import { LAPTOP, productInBrowser } from './product-in-browser.ts';

const inBrowser = productInBrowser({ VUKA_STEP_UP_SECONDS: '2' });

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /Confirm with your PIN|Thibitisha kwa PIN yako/ });

/** A window of the administrator, whose last PIN entry has expired. */
async function openStale(path: string, options = {}): Promise<Page> {
  const page = await inBrowser.openPage({ viewport: LAPTOP, ...options }, inBrowser.admin);
  await page.goto(path);
  await untilPinIsStale(inBrowser.admin);
  return page;
}

async function givePin(page: Page, pin = ADMIN_PIN): Promise<void> {
  const dialog = dialogOf(page);
  await dialog.waitFor();
  await page.keyboard.type(pin);
  await page.keyboard.press('Enter');
}

const get = async (path: string) => (await inBrowser.admin.get(path)).body;

test('a change of the rates asks for the PIN, counts a wrong one, and is made once', async () => {
  const page = await openStale('/admin/exchange-rates');
  const before = await get('/api/rates/history');
  await page.getByText('23.030').first().waitFor();
  await page.getByLabel('Provider buy rate').fill('23.6');
  await page.getByLabel('Markup percent').fill('2');
  await page.getByRole('button', { name: 'Update rates' }).click();
  await givePin(page, '9753');
  await dialogOf(page).getByText('Invalid PIN. 2 attempts left.').waitFor();
  expect(await get('/api/rates/history')).toEqual(before);
  await givePin(page);
  await page.getByText('Rates Updated').waitFor();
  expect(await dialogOf(page).count()).toBe(0);
  const after = await get('/api/rates/history');
  expect([after.length, after[0].buyRate]).toEqual([before.length + 1, 23.6]);
});

test('Escape keeps the form of a credit and returns the focus; with the PIN the money moves once, under its key', async () => {
  const { client, user } = await inBrowser.newMerchant({});
  const page = await openStale('/admin/credit-merchant');
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/credit-balance')) keys.push(request.headers()['idempotency-key']);
  });
  await page.getByLabel('Merchant ID').fill(user.merchantData.merchantId);
  await page.getByLabel('Amount').fill('5000');
  const submit = page.getByRole('button', { name: /^Credit (balance|\d)/ });
  await submit.click();
  await dialogOf(page).waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
  expect(await page.getByLabel('Amount').inputValue()).toMatch(/^5,?000$/);
  expect(await page.getByText('Credit failed').count()).toBe(0);
  expect(await submit.evaluate((button) => button === document.activeElement)).toBe(true);
  const kes = async () => (await client.get('/api/balances')).body.balances.KES;
  expect(await kes()).toBe('0.00');

  await submit.click();
  await givePin(page);
  await page.getByText('Balance credited').waitFor();
  expect(await kes()).toBe('5000.00');
  // The cancelled request was refused, so its key is not kept; the request repeated with the PIN keeps its key.
  expect(keys).toHaveLength(3);
  expect(keys[1]).not.toBe(keys[0]);
  expect(keys[2]).toBe(keys[1]);
});

test('settings are saved with the PIN, on a phone in Kiswahili', async () => {
  const page = await openStale('/admin/settings', { viewport: { width: 360, height: 740 }, locale: 'sw' });
  await page.getByRole('tab').nth(2).click();
  await page.getByLabel('Majaribio ya PIN').fill('4');
  await page.locator('form [type=submit]').click();
  await dialogOf(page).getByText('Weka PIN yako kuthibitisha kuwa ni wewe.').waitFor();
  const box = await dialogOf(page).boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 360).toBe(true);
  await givePin(page);
  await dialogOf(page).waitFor({ state: 'detached' });
  await until(async () => (await get('/api/admin/system-settings')).maxPinAttempts === 4);
});

test('a cancelled block is rolled back on the screen, and a confirmed one takes effect once despite a double press', async () => {
  const { user } = await inBrowser.newMerchant({});
  const page = await openStale(`/admin/merchants?search=${encodeURIComponent(user.email)}`);
  const block = async () => {
    await page.getByRole('button', { name: 'Block Test Merchant', exact: true }).click();
    await page.getByRole('button', { name: 'Block merchant' }).click();
    await dialogOf(page).waitFor();
  };
  const isBlocked = async () => (await get(`/api/admin/merchants/${user.id}`)).merchant.isBlocked;
  await block();
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Block Test Merchant', exact: true }).waitFor();
  expect(await page.getByText('Failed to update account status').count()).toBe(0);
  expect(await isBlocked()).toBe(false);
  await block();
  await givePin(page);
  await page.getByText('Account status updated').waitFor();
  expect(await isBlocked()).toBe(true);
  await inBrowser.admin.post('/api/admin/step-up', { pin: ADMIN_PIN });
  const again = await inBrowser.admin.post(`/api/admin/merchants/${user.id}/toggle-block`, { isBlocked: true });
  expect([again.status, again.body.isBlocked]).toEqual([200, true]);
});
