import { readFile } from 'node:fs/promises';
import { until } from '@vuka/test-kit/until';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ApiClient, order } from '../test/api-client.ts';
import { productInBrowser } from './product-in-browser.ts';

const SETTLING_PHONE = '+255763456700';
const SLOW_PHONE = '+255763456701';
const REFUSED_PHONE = '+255713456089';

const inBrowser = productInBrowser({
  SIMULATOR_DELAY_MS: '300',
  VUKA_PAYOUT_CHECK_SECONDS: '1',
  VUKA_RATE_LIMIT_FACTOR: '10',
});

beforeAll(async () => {
  const { services } = await inBrowser.product.run();
  // Slow enough for the test to open a page meanwhile, even on a busy machine.
  const slow = { match: { msisdn: SLOW_PHONE.slice(1) }, effect: 'settle_late', params: { ms: 12_000 } };
  await fetch(`http://127.0.0.1:${services['payout-simulator']?.port}/sim/scenarios`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(slow),
  });
});

async function send(client: ApiClient, recipientPhone = SETTLING_PHONE): Promise<string> {
  const { status, body } = await client.post('/api/transactions/create', order({ recipientPhone }));
  expect(status).toBe(201);
  return body.transaction.id;
}

async function sendToTheEnd(client: ApiClient, recipientPhone?: string): Promise<string> {
  const id = await send(client, recipientPhone);
  const read = async () => (await client.get(`/api/transactions/${id}`)).body.transaction.status;
  await until(async () => /SETTLED|FAILED/.test(await read()), { timeoutMs: 20_000 });
  return id;
}

const rows = (page: Page) => page.locator('a[href^="/transaction/"]').count();
const shown = (page: Page, count: number) =>
  until(async () => (await rows(page)) === count, { what: `${count} rows are shown` });

test('Back from a receipt returns to the place in the list that was left', async () => {
  const { client, page } = await inBrowser.openAsMerchant({ viewport: { width: 360, height: 400 } });
  const oldest = await send(client);
  for (let count = 2; count <= 18; count++) await send(client);
  await page.goto('/transactions');
  await shown(page, 20);
  const link = page.locator(`a[href="/transaction/${oldest}"]`);
  await link.scrollIntoViewIfNeeded();
  await link.focus();
  const left = await page.evaluate(() => window.scrollY);
  await page.keyboard.press('Enter');
  await page.getByText('Transaction ID').waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  // The list is longer than the receipt, so its place exists only once the list is shown again.
  const receiptEnd = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(left).toBeGreaterThan(receiptEnd);
  await page.goBack();
  await shown(page, 20);
  const position = () => page.evaluate(() => window.scrollY);
  await until(async () => Math.abs((await position()) - left) < 5, { what: 'the list is where it was left' });
});

test('filters are in the address: the back button removes the last one, and a link restores them', async () => {
  const { client, page } = await inBrowser.openAsMerchant({ viewport: { width: 1280, height: 800 } });
  await sendToTheEnd(client);
  await sendToTheEnd(client, REFUSED_PHONE);
  await page.goto('/transactions');
  await shown(page, 4);
  await page.getByLabel('Status').selectOption('FAILED');
  await shown(page, 1);
  await page.getByLabel('Direction').selectOption('TZS_TO_KES');
  await page.getByText('No matches').waitFor();
  expect(new URL(page.url()).search).toBe('?status=FAILED&direction=TZS_TO_KES');
  await page.goBack();
  await shown(page, 1);
  expect(new URL(page.url()).search).toBe('?status=FAILED');
  await page.goBack();
  await shown(page, 4);
  await page.goto('/transactions?q=0713456089');
  await shown(page, 1);
  expect(await page.getByLabel('Search transactions').inputValue()).toBe('0713456089');
});

test('on a phone the filter sheet applies its choice as one step, and a chip removes a filter', async () => {
  const { client, page } = await inBrowser.openAsMerchant();
  await sendToTheEnd(client);
  await page.goto('/transactions');
  await shown(page, 3);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Direction').selectOption('KES_TO_TZS');
  await page.getByRole('button', { name: 'Show results' }).click();
  await shown(page, 1);
  await page.getByRole('button', { name: 'Remove filter: KES → TZS' }).click();
  await shown(page, 3);
});

test('an open receipt explains the state of the money, and shows the settlement live', async () => {
  const { client, page } = await inBrowser.openAsMerchant();
  await page.goto(`/transaction/${await send(client, SLOW_PHONE)}`);
  await page.getByText('Most transfers arrive within a minute').waitFor();
  // Without a reload: the page gets an event.
  await page.getByText('SETTLED').waitFor();
  await page.getByText('Most transfers arrive within a minute').waitFor({ state: 'detached' });
});

test('a receipt prints as one slip of A6, with its code and without the screen’s controls', async () => {
  const { client, page } = await inBrowser.openAsMerchant({ colorScheme: 'dark' });
  await page.goto(`/transaction/${await sendToTheEnd(client)}`);
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  await page.emulateMedia({ media: 'print' });
  for (const name of ['Share Receipt', 'Print', 'Copy transaction ID']) {
    expect(await page.getByRole('button', { name }).isVisible()).toBe(false);
  }
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  for (const words of ['Amount Sent', 'Recipient Info', 'Transaction ID']) {
    expect(await page.getByText(words).isVisible()).toBe(true);
  }
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  );
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type ?\/Page\b/g)).toHaveLength(1);
  const [width, height] = /\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)?.slice(1).map(Number) ?? [];
  const pointsPerMm = 72 / 25.4;
  expect(Math.round((width ?? 0) / pointsPerMm)).toBe(105);
  expect(Math.round((height ?? 0) / pointsPerMm)).toBe(148);
});

test('the receipt is shared as a picture of PNG bytes where the device takes files', async () => {
  const { client, page } = await inBrowser.openAsMerchant();
  await page.addInitScript(() => {
    Object.assign(navigator, {
      canShare: () => true,
      share: async (data: ShareData) => {
        const [file] = data.files ?? [];
        const bytes = new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer(0));
        const shared = { type: file?.type, name: file?.name, size: bytes.length, head: [...bytes.slice(1, 4)] };
        Object.assign(window, { shared: { ...shared, text: data.text } });
      },
    });
  });
  const id = await sendToTheEnd(client);
  await page.goto(`/transaction/${id}`);
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  await page.getByRole('button', { name: 'Share Receipt' }).click();
  await page.waitForFunction(() => 'shared' in window);
  const shared = await page.evaluate(() => (window as unknown as { shared: Record<string, unknown> }).shared);
  expect(shared).toMatchObject({ type: 'image/png', name: 'vuka-receipt.png', head: [...Buffer.from('PNG')] });
  expect(Number(shared.size)).toBeGreaterThan(10_000);
  expect(shared.text).toContain(id);
});

test('the public verification page shows that a receipt is genuine, in the reader’s language, and that a forged one is not', async () => {
  const { client, page } = await inBrowser.openAsMerchant();
  const id = await sendToTheEnd(client);
  await page.goto(`/transaction/${id}`);
  const link = page.getByRole('link', { name: '/verify/' });
  const url = inBrowser.product.address + (await link.getAttribute('href'));
  expect(url).toMatch(new RegExp(`^${inBrowser.product.address}/verify/[\\w-]{108}$`));

  const stranger = await inBrowser.openPage();
  await stranger.goto(url);
  await stranger.getByRole('heading', { name: 'Genuine receipt' }).waitFor();
  for (const words of ['1,000 KES', '23,030 TZS', '+255••••••700', id, 'SETTLED']) {
    expect(await stranger.getByText(words).isVisible()).toBe(true);
  }
  expect(await stranger.content()).not.toContain('763456');

  const at = url.length - 30;
  await stranger.goto(url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1));
  await stranger.getByRole('heading', { name: 'Not genuine' }).waitFor();
  expect(await stranger.getByText(id).count()).toBe(0);

  const swahili = await inBrowser.openPage({ locale: 'sw' });
  await swahili.goto(url);
  await swahili.getByRole('heading', { name: 'Risiti halali' }).waitFor();
});

test('a receipt shown before the money has arrived says so, and updates when it does', async () => {
  const { client } = await inBrowser.newMerchant();
  const id = await send(client, SLOW_PHONE);
  const { code } = (await client.get(`/api/transactions/${id}/verification`)).body;
  const stranger = await inBrowser.openPage();
  await stranger.goto(`/verify/${code}`);
  await stranger.getByText('This page updates when the money has been delivered.').waitFor();
  await stranger.getByText('The money has been delivered.').waitFor();
});

test('a statement adds up on the screen and has the same figures in the file', async () => {
  const { client, page } = await inBrowser.openAsMerchant({ viewport: { width: 1280, height: 800 } });
  await sendToTheEnd(client);
  await page.goto('/transactions');
  await page.getByRole('link', { name: 'Statement' }).click();
  await page.getByRole('heading', { name: 'Kenyan Shilling' }).waitFor();
  const kes = page.locator('section', { has: page.getByRole('heading', { name: 'Kenyan Shilling' }) });
  expect(await kes.locator('dd').allTextContents()).toEqual(['0.00', '+100,000.00', '-1,000.00', '0.00', '99,000.00']);
  await page.getByText('Sent to +255 763 456 700').first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^vuka-statement-[\d-]+-to-[\d-]+\.csv$/);
  const file = await readFile(await download.path(), 'utf8');
  expect(file.startsWith('\uFEFFDate (UTC+3),Type,')).toBe(true);
  expect(file).toMatch(/,Closing balance,,,KES,100000\.00,1000\.00,0\.00,99000\.00\r\n/);
  expect(file).toContain(",'+255763456700,KES,");
});
