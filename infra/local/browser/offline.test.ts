import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { productInBrowser, signIn } from './product-in-browser.ts';

const inBrowser = productInBrowser();

/** Signed in as a merchant of the demo data, with the service worker active. */
async function openKeptApp(): Promise<Page> {
  const page = await inBrowser.openPage();
  await page.goto('/auth');
  await signIn(page, 'amina@vuka.test');
  await page.waitForURL('**/dashboard');
  await page.getByText('250,000').first().waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  // Data is stored a moment after it arrives.
  await page.waitForFunction(() => localStorage.getItem('vuka.kept')?.includes('/api/balances'));
  return page;
}

test('without a network the app opens with the last balances, and shows their time', async () => {
  const page = await openKeptApp();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText(/You are offline\. Shown as of \d/).waitFor();
  await page.getByText('250,000').first().waitFor();
  await page.context().setOffline(false);
  await page.getByText(/You are offline/).waitFor({ state: 'detached' });
});

test('without a network the pages open that have styles of their own and were never visited', async () => {
  const page = await openKeptApp();
  await page.context().setOffline(true);
  await page.goto('/statement');
  await page.getByRole('heading', { name: 'Statement' }).waitFor();
  await page.goto(`/transaction/${randomUUID()}`);
  await page.getByRole('link', { name: 'Back' }).first().waitFor();
});

test('a sign-out removes all account data from the browser', async () => {
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
});

test('a page of the app works under its own security policy, and so does the sign-in page before any script', async () => {
  const page = await inBrowser.openPage({ javaScriptEnabled: false });
  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));
  await page.goto('/auth');
  await page.getByRole('heading', { name: 'Send money instantly between Kenya and Tanzania' }).waitFor();
  expect(refused).toEqual([]);
  // The page's inline styles are applied.
  expect(await page.locator('h1').evaluate((heading) => getComputedStyle(heading).fontWeight)).toBe('700');
});

test('the API documentation works under its own security policy', async () => {
  const page = await inBrowser.openPage();
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  await page.goto('/api/docs');
  await page.getByRole('heading', { name: /^Vuka/ }).waitFor();
  await page.getByText('/api/transactions/create').first().waitFor();
  expect(refused).toEqual([]);
});
