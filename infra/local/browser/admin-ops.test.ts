import { launchBrowser } from '@vuka/test-kit/launch-browser';
import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ADMIN_PIN,
  type ApiClient,
  createApiClient,
  order,
  PIN,
  registerMerchant,
  signInAdmin,
} from '../test/api-client.ts';
import { type RunningProduct, startProductOn } from '../test/product.ts';

let vhost: TestVhost;
let product: RunningProduct;
let browser: Browser;
let admin: ApiClient;
let page: Page;
beforeAll(async () => {
  const [{ url: databaseUrl }, ownVhost] = await Promise.all([askForServer('postgres'), createTestVhost('ops')]);
  vhost = ownVhost;
  const env = { SIMULATOR_DELAY_MS: '50', VUKA_STUCK_AFTER_SECONDS: '3', VUKA_PAYOUT_CHECK_SECONDS: '1' };
  [product, browser] = await Promise.all([
    startProductOn({ databaseUrl, amqpUrl: vhost.amqpUrl }, env),
    launchBrowser(),
  ]);
  admin = await signInAdmin(product.address);
  const context = await browser.newContext({ baseURL: product.address, viewport: { width: 1280, height: 900 } });
  await context.addCookies(admin.cookies.map((cookie) => ({ ...cookie, url: product.address })));
  page = await context.newPage();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await vhost?.drop();
});

const entries = async (query: string) => (await admin.get(`/api/admin/audit-trail?${query}`)).body.entries;

test('a change of rates is on the audit trail, with the administrator, the address, and both rates', async () => {
  expect((await admin.post('/api/rates/update', { buyRate: '24', markup: '2' })).status).toBe(200);
  await until(async () =>
    (await entries('action=rates.updated')).some(
      (entry: { after: { buyRate: string } }) => entry.after.buyRate === '24',
    ),
  );
  await page.goto('/admin/audit-trail');
  await page
    .getByRole('button', { name: /^Details: Changed the rates/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('127.0.0.1').waitFor();
  await dialog.getByRole('row', { name: 'buy rate 23.5 24' }).waitFor();
});

test('a dead message is shown, and sent again with a reason', async () => {
  // A message that its service cannot parse goes to its dead-letter queue.
  const broken = {
    specversion: '1.0',
    id: 'broken-message-1',
    source: '/test',
    type: 'settings.changed.v1',
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { pin: '1357' },
  };
  const sent = {
    routing_key: 'identity.settings',
    payload: JSON.stringify(broken),
    payload_encoding: 'string',
    properties: {},
  };
  await vhost.management('POST', `/api/exchanges/${vhost.name}/identity.settle/publish`, sent);
  await until(async () => (await admin.get('/api/admin/queues/identity.settings/dead')).body.messages.length === 1);
  await page.goto('/admin/queues');
  await page.getByRole('button', { name: 'Dead messages: identity.settings' }).click();
  await page.getByText('not a settings event').waitFor();
  await page.getByText('Content', { exact: true }).click();
  await page.getByText('"pin": "***"').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByLabel('Reason').fill('the service was repaired');
  await page.getByLabel('Your PIN').fill(ADMIN_PIN);
  await page
    .getByRole('dialog', { name: 'Send this message again?' })
    .getByRole('button', { name: 'Send again' })
    .click();
  await page.getByText('Message sent again').waitFor();
  // The message is still invalid, so it returns to the queue; the trail says who sent it and why.
  await until(async () => (await entries('action=dead-message.requeued')).length === 1);
  expect((await entries('subject=broken-message-1'))[0]).toMatchObject({ reason: 'the service was repaired' });
  await until(async () => (await admin.get('/api/admin/queues/identity.settings/dead')).body.messages.length === 1);
});

test('a merchant who locked their own account is unlocked on their page', async () => {
  const { user } = await registerMerchant(product.address, admin, { KES: 5_000 });
  const login = async (pin: string) =>
    (await createApiClient(product.address).post('/api/login', { username: user.email, pin })).status;
  for (const pin of ['9753', '9753', '9753']) await login(pin);
  expect(await login(PIN)).toBe(429);
  await page.goto('/admin/merchants');
  await page.getByLabel('Search merchants').fill(user.merchantData.merchantId);
  await page.getByText('1 merchant', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Test Merchant' }).click();
  await page.getByText(/^Locked until .* after too many wrong attempts$/).waitFor();
  await page.getByRole('region', { name: 'KES' }).filter({ hasText: 'Available5,000Held0Total5,000' }).waitFor();
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('Account unlocked').waitFor();
  expect(await login(PIN)).toBe(200);
});

test('before a retry the dialog shows the legs, and the provider is asked', async () => {
  const { client } = await registerMerchant(product.address, admin, { KES: 5_000 });
  const target = (await client.post('/api/quotes', { direction: 'KES_TO_TZS', sourceAmount: 1000 })).body;
  const sent = await client.post(
    '/api/transactions/create',
    order({ recipientPhone: '+255763456129', targetAmount: target.targetAmount, quoteId: target.quoteId }),
  );
  const { id } = sent.body.transaction;
  const stuck = async () => (await admin.get('/api/admin/stuck-transactions')).body.stuckTransactions;
  await until(async () => (await stuck()).some((item: { transaction: { id: string } }) => item.transaction.id === id), {
    timeoutMs: 20_000,
  });
  await page.goto('/admin/transaction-recovery');
  await page.getByRole('button', { name: `Details of ${id}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Before a retry' });
  await dialog.getByRole('listitem').filter({ hasText: 'The sender’s money is reserved' }).getByText('Done').waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'The provider has paid' }).getByText('Waiting').waitFor();
  await dialog.getByRole('button', { name: 'Ask the provider now' }).click();
  await dialog
    .getByRole('status')
    .filter({ hasText: /provider/ })
    .waitFor();
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await until(async () => (await entries(`action=transfer.retried&subject=${id}`)).length === 1);
  await until(async () => (await entries(`action=transfer.inquired&subject=${id}`)).length === 1);
});
