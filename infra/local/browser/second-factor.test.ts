import { writeFile } from 'node:fs/promises';
import { until } from '@vuka/test-kit/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addAdmin } from '../test/add-admin.ts';
import { ADMIN_PIN, type ApiClient, createApiClient } from '../test/api-client.ts';
import { GUARDED } from '../test/stale-pin.ts';
import { LAPTOP, productInBrowser, signIn } from './product-in-browser.ts';

const PIN = '8642';
const inBrowser = productInBrowser({ VUKA_STEP_UP_SECONDS: '3' });

/** WebAuthn needs a name: `localhost`, not the address that the other tests use. */
const atLocalhost = (path: string) => `${inBrowser.product.address.replace('127.0.0.1', 'localhost')}${path}`;

/** Chromium's own authenticator, which verifies its user. */
async function plugInPasskeys(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function openSignedIn(email: string, options = {}): Promise<Page> {
  const page = await inBrowser.openPage(options);
  await plugInPasskeys(page);
  await page.goto(atLocalhost('/auth'));
  await signIn(page, email, PIN);
  await page.waitForURL('**/dashboard');
  return page;
}

/** Adds a passkey, which asks for the PIN because the sign-in is no longer recent. */
async function addPasskey(page: Page): Promise<void> {
  await page.goto(atLocalhost('/security'));
  await untilStale(page);
  await page.getByRole('button', { name: /Add a passkey|Ongeza ufunguo wa siri/ }).click();
  await page.getByLabel(/Name of this device|Jina la kifaa hiki/).fill('Laptop');
  await page.getByRole('button', { name: /Create the passkey|Tengeneza ufunguo wa siri/ }).click();
  const dialog = page.getByRole('dialog', { name: /Confirm with your PIN|Thibitisha kwa PIN yako/ });
  await dialog.getByRole('textbox').fill(PIN);
  await page.keyboard.press('Enter');
  await page.getByText(/Second factor added|Uthibitisho wa pili umeongezwa/).waitFor();
}

async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.VUKA_PICTURES;
  if (folder) await writeFile(`${folder}/${name}.png`, await page.screenshot({ fullPage: true }));
}

/** Waits until no confirmation of the page's session is recent. */
async function untilStale(page: Page): Promise<void> {
  const guarded = new URL(GUARDED, page.url()).href;
  const isStale = async () => (await (await page.request.post(guarded)).json()).code === 'step_up_required';
  await until(isStale, { timeoutMs: 30_000, everyMs: 100, what: 'no confirmation is recent' });
}

test('a passkey is added, completes the next sign-in, and confirms a change of the settings', async () => {
  const email = 'passkey@vuka.test';
  const api = await addAdmin(inBrowser.product, email, PIN);
  const page = await openSignedIn(email);
  await addPasskey(page);
  await page.getByText('Laptop').waitFor();
  await photograph(page, 'security');
  // The session without the passkey can do nothing now.
  expect((await api.get('/api/admin/overview')).body.reason).toBe('factor_pending');
  expect((await api.get('/api/balances')).body.reason).toBe('factor_pending');

  await page.goto(atLocalhost('/profile'));
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('textbox', { name: 'Email' }).waitFor();
  await signIn(page, email, PIN);
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await photograph(page, 'one-more-step');
  await page.goto(atLocalhost('/admin/settings'));
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Admin Settings' }).waitFor();

  await untilStale(page);
  await page.getByRole('tab', { name: 'System' }).click();
  await page.getByLabel('Max PIN attempts').fill('5');
  await page.locator('form [type=submit]').click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.waitFor();
  await photograph(page, 'step-up');
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Settings Updated').waitFor();
  expect((await inBrowser.admin.get('/api/admin/system-settings')).body.maxPinAttempts).toBe(5);
});

test('a second owner with a passkey approves a role: the PIN in the call and the passkey', async () => {
  const email = 'second.owner@vuka.test';
  await addAdmin(inBrowser.product, email, PIN);
  const support: ApiClient = await addAdmin(inBrowser.product, 'helper@vuka.test', PIN, ['--role', 'support']);
  const { id } = (await support.get('/api/user')).body;
  const page = await openSignedIn(email);
  await addPasskey(page);
  await inBrowser.admin.post('/api/admin/step-up', { pin: ADMIN_PIN });
  const proposed = await inBrowser.admin.post(`/api/admin/administrators/${id}/role`, { role: 'finance' });
  expect([proposed.status, proposed.body.administrator.role]).toEqual([202, 'support']);

  await page.goto(atLocalhost('/admin/settings'));
  const row = page.getByRole('listitem').filter({ hasText: 'helper@vuka.test' });
  await row.getByRole('button', { name: 'Approve' }).waitFor();
  await photograph(page, 'role-proposal');
  await untilStale(page);
  await row.getByRole('button', { name: 'Approve' }).click();
  const decision = page.getByRole('dialog', { name: 'Approve this role?' });
  await decision.getByLabel('Your PIN').fill(PIN);
  await decision.getByRole('button', { name: 'Approve the role' }).click();
  await page
    .getByRole('dialog', { name: 'Confirm that it is you' })
    .getByRole('button', { name: 'Use a passkey' })
    .click();
  await page.getByText('Decision recorded').waitFor();
  expect((await support.get('/api/user')).body.adminRole).toBe('finance');
});

test('an auditor reads every page of their menu and finds nothing to change; another page says why it stays shut', async () => {
  await addAdmin(inBrowser.product, 'mkaguzi@vuka.test', PIN, ['--role', 'auditor']);
  const page = await openSignedIn('mkaguzi@vuka.test');
  await page.goto(atLocalhost('/admin/exchange-rates'));
  await page.getByText('23.030').first().waitFor();
  expect(await page.getByRole('button', { name: 'Update rates' }).count()).toBe(0);
  await addAdmin(inBrowser.product, 'huduma@vuka.test', PIN, ['--role', 'support']);
  const other = await openSignedIn('huduma@vuka.test');
  await other.goto(atLocalhost('/admin/queues'));
  await other.getByRole('heading', { name: 'Your role does not open this page' }).waitFor();
  await other.getByRole('button', { name: 'Menu' }).click();
  await other.getByRole('link', { name: 'Merchant Management' }).waitFor();
  expect(await other.getByRole('link', { name: 'Message Queues' }).count()).toBe(0);
  await photograph(other, 'not-of-role');
});

test('on a phone in Kiswahili nothing is cut off, and at an IP address an authenticator app is offered', async () => {
  const email = 'simu@vuka.test';
  await addAdmin(inBrowser.product, email, PIN);
  const page = await openSignedIn(email, { viewport: { width: 360, height: 740 }, locale: 'sw' });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  await addPasskey(page);
  await page.getByRole('button', { name: 'Ongeza programu ya uthibitishaji' }).click();
  await page.getByRole('img', { name: 'Msimbo wa QR' }).waitFor();
  expect(await fits()).toBe(true);
  await photograph(page, 'totp-sw-phone');
  await page.context().clearCookies();
  await page.goto(atLocalhost('/auth'));
  await signIn(page, email, PIN);
  await page.getByRole('heading', { name: 'Hatua moja zaidi' }).waitFor();
  await photograph(page, 'one-more-step-sw-phone');
  expect(await fits()).toBe(true);
  await page.getByRole('button', { name: 'Tumia ufunguo wa siri' }).click();
  await page.getByRole('link', { name: 'Usimamizi' }).waitFor();
  await page.goto(atLocalhost('/admin/settings'));
  await photograph(page, 'administrators-sw-phone');
  await page.getByRole('combobox', { name: 'Jukumu la' }).first().waitFor();
  await photograph(page, 'administrators-sw-phone');
  expect(await fits()).toBe(true);

  const byAddress = await inBrowser.openPage({ viewport: LAPTOP, colorScheme: 'dark' }, inBrowser.admin);
  await byAddress.goto('/security');
  await untilStale(byAddress);
  await byAddress.getByText('Passkeys do not work at an IP address.').waitFor();
  expect(await byAddress.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
  await byAddress.getByRole('button', { name: 'Add an authenticator app' }).click();
  await byAddress.getByRole('dialog', { name: 'Confirm with your PIN' }).getByLabel('Your PIN').fill(ADMIN_PIN);
  await byAddress.keyboard.press('Enter');
  await byAddress.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  await photograph(byAddress, 'totp-dark');
  const stranger = createApiClient(inBrowser.product.address);
  expect((await stranger.get('/api/admin/second-factors')).status).toBe(401);
});
