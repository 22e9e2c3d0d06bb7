import { until } from '@vuka/test-kit/until';
import { expect, test } from 'vitest';
import { ADMIN_PIN } from '../test/api-client.ts';
import { LAPTOP, productInBrowser } from './product-in-browser.ts';

const inBrowser = productInBrowser();
const KEY = /^vuka_[\w-]{43}$/;

test('an administrator issues a key, copies it, never sees it again, and revokes it after a confirmation', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await inBrowser.openPage({ viewport: LAPTOP, permissions }, inBrowser.admin);
  await page.goto('/admin');
  await page.getByRole('link', { name: 'API Keys' }).click();
  await page.getByText('No API keys yet').waitFor();
  await page.getByLabel('Name').fill('Bookkeeping');
  await page.getByLabel('Your PIN').fill('9753');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await page.getByText('Invalid PIN').waitFor();
  await page.getByLabel('Your PIN').fill(ADMIN_PIN);
  await page.getByRole('button', { name: 'Issue key' }).dblclick();
  const key = (await page.getByText(KEY).textContent()) ?? '';
  await page.getByText('it will not be shown again').waitFor();
  await page.getByRole('button', { name: 'Copy key' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);

  const row = page.getByRole('row').filter({ hasText: `…${key.slice(-4)}` });
  await row.getByText('Active').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.reload();
  await row.getByText('Never').waitFor();
  expect(await page.content()).not.toContain(key);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toContain(key);

  await row.getByRole('button', { name: 'Revoke Bookkeeping' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: 'Revoke Bookkeeping' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await row.getByText('Revoked').waitFor();
  expect(await row.getByRole('button').count()).toBe(0);
});

test('actions on keys are on the audit trail in words', async () => {
  const { body } = await inBrowser.admin.post('/api/admin/api-keys', { name: 'Warehouse', pin: ADMIN_PIN });
  await inBrowser.admin.post(`/api/admin/api-keys/${body.apiKey.id}/revoke`);
  const trail = `/api/admin/audit-trail?subject=${body.apiKey.id}`;
  await until(async () => (await inBrowser.admin.get(trail)).body.entries.length === 2);
  const page = await inBrowser.openPage({ viewport: LAPTOP }, inBrowser.admin);
  await page.goto('/admin/audit-trail');
  const rows = page.getByRole('row').filter({ hasText: 'Warehouse' });
  await rows.filter({ hasText: 'Issued an API key' }).waitFor();
  await rows.filter({ hasText: 'Revoked an API key' }).waitFor();
  expect(await page.content()).not.toContain(body.key);
});
