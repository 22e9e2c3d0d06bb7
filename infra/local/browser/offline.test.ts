import { launchBrowser } from '@vuka/test-kit/launch-browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningProduct, startProduct } from '../test/product.ts';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({}), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Signed in as a merchant of the demo data, with the app kept by its service worker. */
async function openKeptApp(): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.address, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto('/auth');
  await page.getByLabel('Email').fill('amina@vuka.test');
  await page.getByLabel('4-digit PIN').fill('1357');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL('**/dashboard');
  await page.getByText('250,000').first().waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  // What is kept is written a moment after it came.
  await page.waitForFunction(() => localStorage.getItem('vuka.kept')?.includes('/api/balances'));
  return page;
}

test('without a network the app opens with the last balances, and says of when they are', async () => {
  const page = await openKeptApp();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText(/You are offline\. Shown as of \d/).waitFor();
  await page.getByText('250,000').first().waitFor();
  await page.context().setOffline(false);
  await page.getByText(/You are offline/).waitFor({ state: 'detached' });
  await page.context().close();
}, 60_000);

test('nothing of the account stays in the browser after a sign-out', async () => {
  const page = await openKeptApp();
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('**/auth**');
  await page.waitForFunction(() => localStorage.getItem('vuka.kept') === null);
  const cached = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(cached.length).toBeGreaterThan(0);
  expect(cached.filter((path) => path.startsWith('/api'))).toEqual([]);
  await page.context().close();
}, 60_000);

test('a page of the app works under its own security policy, the sign-in page before any script too', async () => {
  const context = await browser.newContext({ baseURL: product.address, javaScriptEnabled: false });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));
  await page.goto('/auth');
  await page.getByRole('heading', { name: 'Send money instantly between Kenya and Tanzania' }).waitFor();
  expect(refused).toEqual([]);
  // The styles that stand in the page count.
  expect(await page.locator('h1').evaluate((heading) => getComputedStyle(heading).fontWeight)).toBe('700');
  await context.close();
}, 60_000);
