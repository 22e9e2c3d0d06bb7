import { until } from '@vuka/test-kit/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ApiClient } from '../test/api-client.ts';
import { confirm, LAPTOP, productInBrowser, review, sentBy } from './product-in-browser.ts';

const inBrowser = productInBrowser({
  SIMULATOR_DELAY_MS: '100',
  VUKA_PAYOUT_CHECK_SECONDS: '1',
  VUKA_RATE_LIMIT_FACTOR: '10',
});
const DETAILS = { amount: '1000', phone: '763456700' };

async function openLab(): Promise<Page> {
  const page = await inBrowser.openPage({ viewport: LAPTOP }, inBrowser.admin);
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Failure Lab' }).click();
  await page.getByText('The mobile network behaves').waitFor();
  return page;
}

async function send(page: Page): Promise<void> {
  await review(page, DETAILS);
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
}

const kes = async (client: ApiClient) => (await client.get('/api/balances')).body.balances.KES;
const tanzania = async (of: 'network' | 'books') =>
  (await inBrowser.admin.get('/api/admin/failure-lab')).body[of].find(
    ({ currency }: { currency: string }) => currency === 'TZS',
  ) ?? { paid: { count: 0 }, failed: { count: 0 }, inFlight: { count: 0 } };

test('if the network pays without an answer, the transfer stays open until an inquiry, and is paid once', async () => {
  const lab = await openLab();
  await lab.getByText('Pays without answer or callback', { exact: true }).click();
  await lab.getByText('The mobile network misbehaves').waitFor();
  const { client, page } = await inBrowser.openAsMerchant();
  await send(page);
  // Already paid in the network's own ledger, while our books wait for proof.
  await until(async () => (await tanzania('network')).paid.count === 1, {
    timeoutMs: 20_000,
    what: 'the network pays',
  });
  expect((await tanzania('books')).paid.count).toBe(0);
  expect((await sentBy(client))[0].status).not.toBe('SETTLED');
  await lab.getByText(/^The network has paid more than our books show so far/).waitFor();
  await lab.getByText('The mobile network behaves').waitFor();

  await until(async () => (await sentBy(client))[0].status === 'SETTLED', { timeoutMs: 60_000, what: 'it settles' });
  expect(await kes(client)).toBe('99000.00');
  expect((await tanzania('network')).paid).toEqual({ count: 1, amount: '23030.00' });
  expect((await tanzania('books')).paid).toEqual({ count: 1, amount: '23030.00' });
  await lab.getByText(/^Our books and the ledger of the network agree/).waitFor();
}, 120_000);

test('if the network refuses, nothing is paid and the money is returned; switched off, it pays again', async () => {
  const lab = await openLab();
  const paidBefore = (await tanzania('network')).paid.count;
  await lab.getByText('All', { exact: true }).click();
  await lab.getByRole('tab', { name: 'Refusals' }).click();
  await lab.getByText('Refuses the number', { exact: true }).click();
  await lab.getByText('On until switched off').waitFor();
  const { client, page } = await inBrowser.openAsMerchant();
  await send(page);
  await until(async () => (await sentBy(client))[0].status === 'FAILED', { timeoutMs: 30_000, what: 'it fails' });
  expect(await kes(client)).toBe('100000.00');
  expect((await tanzania('network')).paid.count).toBe(paidBefore);

  await lab.getByRole('button', { name: 'Switch all off' }).click();
  await lab.getByText('The mobile network behaves').waitFor();
  await send(page);
  await until(async () => (await sentBy(client))[0].status === 'SETTLED', { timeoutMs: 30_000, what: 'it settles' });
  expect(await kes(client)).toBe('99000.00');
  expect((await tanzania('network')).paid.count).toBe(paidBefore + 1);
}, 120_000);
