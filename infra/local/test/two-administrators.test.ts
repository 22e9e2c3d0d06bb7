import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, createApiClient, order, registerMerchant, signInAdmin, signInApprover } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

const CREATE_ADMIN = fileURLToPath(new URL('../src/create-admin.ts', import.meta.url));
const SECOND = { username: 'second@vuka.test', pin: '8642' };
/** A network of the simulator that never answers. */
const SILENT_PHONE = '+255763456129';

let product: RunningProduct;
let admins: [ApiClient, ApiClient];
beforeAll(async () => {
  product = await startProduct({
    SIMULATOR_DELAY_MS: '50',
    VUKA_STUCK_AFTER_SECONDS: '3',
    VUKA_PAYOUT_CHECK_SECONDS: '1',
  });
  const env = { ...process.env, VUKA_DATA_DIR: product.dataDir, VUKA_ADMIN_PIN: SECOND.pin };
  const words = [CREATE_ADMIN, '--email', SECOND.username, '--name', 'Second Admin'];
  await promisify(execFile)(process.execPath, words, { env });
  const second = createApiClient(product.address);
  expect((await second.post('/api/login', SECOND)).body).toMatchObject({ isAdmin: true });
  admins = [await signInAdmin(product.address), second];
}, 180_000);
afterAll(() => product?.stop());

const PINS = ['2468', SECOND.pin] as const;

test('a rate that changes by more than half applies only after another administrator approves it', async () => {
  const { client } = await registerMerchant(product.address, admins[0]);
  const quoted = async () =>
    (await client.post('/api/quotes', { direction: 'KES_TO_TZS', sourceAmount: '1000' })).body.rate;
  const before = await quoted();
  const asked = await admins[0].post('/api/rates/update', { buyRate: 230.5, markup: 2 });
  expect(asked).toMatchObject({ status: 202, body: { proposal: { after: { buyRate: 230.5 }, isOwn: true } } });
  const decide = (who: 0 | 1, kind: string, body: object = {}) =>
    admins[who].post(`/api/admin/rate-proposals/${asked.body.proposal.id}/${kind}`, { pin: PINS[who], ...body });
  expect((await decide(0, 'approve')).body.error).toBe('You proposed this change. Another administrator must decide.');
  expect((await admins[1].post(`/api/admin/rate-proposals/${asked.body.proposal.id}/approve`, {})).status).toBe(400);
  expect(await quoted()).toBe(before);
  expect((await decide(1, 'approve')).body.proposal.status).toBe('approved');
  // transfers has the new price by the time the decision is answered
  expect(await quoted()).toBe('225.89');
  const back = await admins[1].post('/api/rates/update', { buyRate: 23.5, markup: 2 });
  const restored = await admins[0].post(`/api/admin/rate-proposals/${back.body.proposal.id}/approve`, { pin: PINS[0] });
  expect(restored.status).toBe(200);
  expect(await quoted()).toBe(before);
  const entries = async () => (await admins[0].get('/api/admin/audit-trail?action=rates.approved')).body.entries;
  await until(async () => (await entries()).length === 2);
}, 60_000);

test('one administrator’s credits per day are limited, and raising the limit takes two', async () => {
  const { client, user } = await registerMerchant(product.address, admins[1], {});
  const credit = (amount: number) =>
    admins[1].post('/api/admin/credit-balance', {
      merchantId: user.merchantData.merchantId,
      amount,
      currency: 'KES',
    });
  expect((await credit(9_000_000)).status).toBe(201);
  expect((await credit(1_000_001)).status).toBe(202);
  const deposit = { amount: '1000001', currency: 'KES', reason: 'float', pin: SECOND.pin };
  const own = await admins[1].post('/api/admin/deposit', deposit);
  expect(own).toMatchObject({ status: 202, body: { credit: { kind: 'deposit', status: 'awaiting_approval' } } });
  const settings = (await admins[1].get('/api/admin/system-settings')).body;
  const creditApprovalLimit = { ...settings.creditApprovalLimit, KES: '50000000' };
  const raised = await admins[1].post('/api/admin/system-settings', { ...settings, creditApprovalLimit });
  expect(raised).toMatchObject({ status: 202, body: { ...settings, proposal: { limits: [{ to: '50000000' }] } } });
  expect((await credit(1_000_001)).status).toBe(202);
  expect((await client.get('/api/balances')).body.balances.KES).toBe('9000000.00');
  const path = `/api/admin/limit-proposals/${raised.body.proposal.id}/approve`;
  expect((await admins[0].post(path, { pin: PINS[0] })).body.proposal.status).toBe('approved');
  expect((await credit(1_000_001)).status).toBe(201);
  await admins[0].post('/api/admin/system-settings', settings);
}, 60_000);

interface RateItem {
  buyRate: number;
  sellRate: number;
  updatedByName: string;
  createdAt: string;
}

test('a transfer that two administrators retry concurrently is retried once, and is one payout', async () => {
  const { client } = await registerMerchant(product.address, admins[0]);
  const { body } = await client.post('/api/transactions/create', order({ recipientPhone: SILENT_PHONE }));
  const { id } = body.transaction;
  const stuck = async () =>
    (await admins[0].get('/api/admin/stuck-transactions')).body.stuckTransactions.some(
      (item: { transaction: { id: string } }) => item.transaction.id === id,
    );
  await until(stuck, { timeoutMs: 30_000 });
  const answers = await Promise.all(admins.map((admin) => admin.post(`/api/admin/transactions/${id}/retry`)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  const recovery = async () => (await admins[1].get(`/api/admin/transactions/${id}/recovery`)).body;
  await until(async () => (await recovery()).retries[0]?.finishedAt, { timeoutMs: 30_000 });
  expect((await recovery()).retries).toHaveLength(1);
  const { logs } = (await admins[0].get(`/api/integration-logs/recent?transactionId=${id}`)).body;
  const initiated = logs.filter(({ operation }: { operation: string }) => operation === 'payout.initiate');
  expect(initiated.length).toBeGreaterThan(0);
  expect(new Set(initiated.map((log: { moneyTransferId: string }) => log.moneyTransferId)).size).toBe(1);
  expect((await client.get('/api/balances')).body.balances.KES).toBe('99000.00');
}, 90_000);

test('of two rates set concurrently both are recorded, and every service uses the later one', async () => {
  const { client } = await registerMerchant(product.address, admins[0]);
  for (const round of [0, 1, 2]) {
    const before: RateItem[] = (await admins[0].get('/api/rates/history')).body;
    const asked = [24 + round, 30 + round];
    const answers = await Promise.all(
      admins.map((admin, index) => admin.post('/api/rates/update', { buyRate: asked[index], markup: 2 })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const history: RateItem[] = (await admins[1].get('/api/rates/history')).body;
    const added = history.slice(0, history.length - before.length);
    expect(added.map(({ buyRate }) => buyRate).toSorted()).toEqual(asked);
    for (const { buyRate, updatedByName } of added) {
      expect(updatedByName === 'Second Admin').toBe(buyRate === asked[1]);
    }
    expect(history.slice(added.length)).toEqual(before);
    const times = history.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());

    const inForce = added[0] as RateItem;
    await until(async () => (await client.get('/api/rates')).body.kesToTzs === inForce.sellRate);
    const quote = async () =>
      (await client.post('/api/quotes', { direction: 'KES_TO_TZS', sourceAmount: '1000' })).body;
    await until(async () => Number((await quote()).rate) === inForce.sellRate);
    const targetAmount = String(Math.round(1_000 * inForce.sellRate));
    const sent = await client.post('/api/transactions/create', order({ targetAmount }));
    expect(sent.status).toBe(201);
    expect(Number(sent.body.transaction.exchangeRate ?? inForce.sellRate)).toBe(inForce.sellRate);
    expect((await admins[0].get('/api/admin/overview')).body.currentRate.buyRate).toBe(inForce.buyRate);
  }
}, 90_000);

test('the list of merchants is complete without parameters, and paged with them', async () => {
  for (const _ of [1, 2, 3]) await registerMerchant(product.address, admins[0], {});
  const whole = await admins[0].get('/api/admin/merchants');
  expect(whole.headers.get('link')).toBeNull();
  expect(whole.headers.get('x-total-count')).toBe(String(whole.body.length));
  const found: { id: string }[] = [];
  let path: string | undefined = '/api/admin/merchants?search=test+merchant&sort=email&limit=2';
  while (path) {
    const page = await admins[1].get(path);
    expect(page.body.length).toBeLessThanOrEqual(2);
    found.push(...page.body);
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  const expected = whole.body
    .filter(({ fullName }: { fullName: string }) => fullName === 'Test Merchant')
    .toSorted((a: { email: string }, b: { email: string }) => (a.email < b.email ? -1 : 1));
  expect(found).toEqual(expected);
  expect(found.length).toBeGreaterThanOrEqual(3);
  expect((await admins[0].get('/api/admin/merchants?sort=pin')).body.error).toBe('Unknown sort');
});

test('an installation that was seeded without the approver gets one at its next start', async () => {
  await signInApprover(product.address);
  const { services } = await product.run();
  await product.killAll();
  const marker = join(product.dataDir, 'demo.json');
  const done = JSON.parse(await readFile(marker, 'utf8')) as string[];
  await writeFile(marker, JSON.stringify(done.filter((step) => !step.endsWith('-approver'))));
  const identity = new pg.Client({ connectionString: services.identity?.databaseUrl });
  await identity.connect();
  await identity.query(
    "update users set email = 'renamed@vuka.test', username = 'renamed@vuka.test' where email = 'approver@vuka.test'",
  );
  await identity.end();
  await product.startAgain();
  await product.untilReady();
  await signInApprover(product.address);
  expect((JSON.parse(await readFile(marker, 'utf8')) as string[]).sort()).toEqual(done.sort());
}, 180_000);
