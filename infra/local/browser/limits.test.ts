import { expect, test } from 'vitest';
import { PIN } from '../test/api-client.ts';
import { confirm, LAPTOP, productInBrowser, review, sentBy } from './product-in-browser.ts';

const inBrowser = productInBrowser();
const PHONE = '763456700';

test('a merchant who reaches a limit reads so before the PIN, is refused by the server, and sees what is left', async () => {
  const administrator = await inBrowser.openPage({ viewport: LAPTOP }, inBrowser.admin);
  await administrator.goto('/admin/limits');
  const unverified = administrator.getByRole('region', { name: 'Not verified, KES' });
  await unverified.getByRole('button', { name: /^Change/ }).click();
  await unverified.getByLabel('Per transaction').fill('20000');
  await unverified.getByLabel('Sent per day').fill('30000');
  await unverified.getByRole('button', { name: 'Save limits' }).click();
  await administrator.getByText('Limits changed').waitFor();

  const { client, page } = await inBrowser.openAsMerchant();
  await review(page, { amount: '20000', phone: PHONE });
  await page.getByText('Rate held for').waitFor();
  expect(await page.getByText('This is above your limit').count()).toBe(0);
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();

  await review(page, { amount: '15000', phone: PHONE });
  await page.getByText('You can still send 10,000 KES today.').waitFor();
  await confirm(page);
  await page.getByText('This is above your daily limit. You can still send 10,000.00 KES today.').first().waitFor();
  expect(await sentBy(client)).toHaveLength(1);

  await page.evaluate(() => localStorage.setItem('vuka.language', 'sw'));
  await page.goto('/security');
  const bar = page.getByRole('progressbar', { name: /KES/ }).first();
  await bar.waitFor();
  expect(await bar.getAttribute('aria-valuenow')).toBe('34');
});

test('an administrator gives a merchant the limits of a business, and the merchant sends more', async () => {
  const { client, user, page } = await inBrowser.openAsMerchant();
  const administrator = await inBrowser.openPage({ viewport: LAPTOP }, inBrowser.admin);
  await administrator.goto(`/admin/merchants/${user.id}`);
  await administrator.getByRole('button', { name: 'Apply business limits' }).click();
  await administrator.getByText('Limits changed').waitFor();
  await administrator.getByText('Business', { exact: true }).waitFor();
  await review(page, { amount: '90000', phone: PHONE });
  await confirm(page, PIN);
  await page.getByText('Transaction Initiated').waitFor();
  expect(await sentBy(client)).toMatchObject([{ sourceAmount: '90000.00' }]);
});
