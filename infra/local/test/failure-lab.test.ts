import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planServices, type ServiceName, serviceNames } from '#services.ts';
import { readSettings } from '#start-settings.ts';
import { type ApiClient, order, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

const LAB = '/api/admin/failure-lab';
let demo: RunningProduct;
let admin: ApiClient;
beforeAll(async () => {
  demo = await startProduct({ SIMULATOR_DELAY_MS: '50', VUKA_PAYOUT_CHECK_SECONDS: '1' });
  admin = await signInAdmin(demo.address);
}, 180_000);
afterAll(() => demo?.stop());

test('a demonstration is marked as such, and has the lab: a scenario is switched on, affects its payout and is used up', async () => {
  expect((await admin.get('/api/about')).body).toMatchObject({ isDemo: true });
  const on = await admin.post(`${LAB}/closed/on`, { payouts: 1, currency: 'TZS', phone: '+255763456700' });
  expect([on.status, on.body.active]).toMatchObject([200, [{ scenario: 'closed', payoutsLeft: 1 }]]);
  const { client } = await registerMerchant(demo.address, admin);
  const { body } = await client.post('/api/transactions/create', order({ recipientPhone: '+255763456700' }));
  const find = async () => (await client.get(`/api/transactions/${body.transaction.id}`)).body.transaction;
  await until(async () => (await find()).status === 'FAILED', { timeoutMs: 30_000, what: 'it fails' });
  expect((await client.get('/api/balances')).body.balances.KES).toBe('100000.00');
  const lab = (await admin.get(LAB)).body;
  expect(lab.active).toEqual([]);
  expect(lab.books).toMatchObject([{ currency: 'TZS', failed: { count: 1, amount: '23030.00' } }]);
}, 90_000);

test('switches are on the audit trail, with their author and options', async () => {
  await admin.post(`${LAB}/reject/on`, { payouts: null, currency: 'KES' });
  await admin.post(`${LAB}/reject/off`);
  const entries = async () => (await admin.get('/api/admin/audit-trail?subject=reject')).body.entries;
  await until(async () => (await entries()).length === 2, { timeoutMs: 20_000, what: 'both are on the trail' });
  expect(await entries()).toMatchObject([
    { action: 'failure.switched-off', before: { payoutsLeft: null, currency: 'KES' } },
    {
      action: 'failure.switched-on',
      actor: { name: 'Vuka Admin' },
      subject: { kind: 'simulator', label: 'Refuses the number' },
      after: { payouts: null, currency: 'KES' },
    },
  ]);
}, 60_000);

test('an unknown scenario is a 404, and an invalid body switches nothing on', async () => {
  expect((await admin.post(`${LAB}/lunar_eclipse/on`, { payouts: 1 })).status).toBe(404);
  expect((await admin.post(`${LAB}/lunar_eclipse/off`)).status).toBe(404);
  expect((await admin.post(`${LAB}/closed/on`, { payouts: 0 })).status).toBe(400);
  expect((await admin.get(LAB)).body.active).toEqual([]);
});

test('with a provider of our own there is no lab, not even for administrators', async () => {
  const real = await startProduct({
    PAWAPAY_URL: 'http://127.0.0.1:9',
    PAWAPAY_TOKEN: 'token',
    PAWAPAY_CALLBACK_AUTHORITY: 'vuka.example',
  });
  try {
    const boss = await signInAdmin(real.address);
    expect((await boss.get('/api/about')).body).not.toHaveProperty('isDemo');
    const answers = await Promise.all([
      boss.get(LAB),
      boss.post(`${LAB}/off`),
      boss.post(`${LAB}/closed/on`, { payouts: 1 }),
      boss.post(`${LAB}/closed/off`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await real.run())?.services).not.toHaveProperty('payout-simulator');
    // The gateway never exposes the simulator's own controls, here or in a demonstration.
    for (const address of [real.address, demo.address]) {
      expect((await fetch(`${address}/sim/scenarios`, { method: 'POST' })).status).toBe(404);
    }
  } finally {
    await real.stop();
  }
}, 180_000);

test('production has no simulator, and no service there gets its address', () => {
  const secret = 'x'.repeat(32);
  const settings = readSettings({
    NODE_ENV: 'production',
    VUKA_PIN_PEPPER: secret,
    VUKA_SESSION_SECRET: secret,
    VUKA_RECEIPT_KEY: secret,
    VUKA_DATA_KEY_IDENTITY: secret,
    VUKA_DATA_KEY_ADMIN: secret,
    VUKA_DATA_KEY_INTEGRATION_LOG: secret,
    PAWAPAY_URL: 'https://api.pawapay.io',
    PAWAPAY_TOKEN: 'token',
    PAWAPAY_CALLBACK_AUTHORITY: 'vuka.example',
    PAYOUT_SIMULATOR_URL: 'http://127.0.0.1:4000',
  });
  const names: (ServiceName | 'gateway metrics')[] = [...serviceNames(settings), 'gateway metrics'];
  const plans = planServices({
    settings,
    secrets: {
      pinPepper: secret,
      sessionSecret: secret,
      receiptKey: secret,
      identityDataKey: secret,
      adminDataKey: secret,
      integrationLogDataKey: secret,
      providerToken: 'token',
      passwords: {},
    } as never,
    server: 'postgres://postgres@127.0.0.1:5432/postgres',
    ports: Object.fromEntries(names.map((name, index) => [name, 4_000 + index])),
    webRoot: '/',
  });
  expect(plans.map(({ name }) => name)).not.toContain('payout-simulator');
  // An empty value overrides the environment of `npm start`.
  expect(plans.find(({ name }) => name === 'admin')?.env).toMatchObject({ PAYOUT_SIMULATOR_URL: '' });
  expect(plans.filter(({ env }) => env.PAYOUT_SIMULATOR_URL)).toEqual([]);
});
