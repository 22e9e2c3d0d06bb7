import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PIN, type ApiClient, order, registerMerchant, signInAdmin } from './api-client.ts';
import { expectFairEnds, expectLedgerHolds, openBooks } from './books.ts';
import { type RunningProduct, startProduct } from './product.ts';

const FUNDS_KES = 100_000;
const RECORDED =
  'The request is recorded and will be completed as soon as the ledger answers. Please do not enter it again.';

let product: RunningProduct;
let admin: ApiClient;
let books: pg.Client;
let ledger: pg.Client;

beforeAll(async () => {
  product = await startProduct({ SIMULATOR_DELAY_MS: '50', VUKA_RATE_LIMIT_FACTOR: '1000' });
  const { url } = await askForServer('postgres');
  books = await openBooks(url, product.databasePrefix);
  ledger = await openBooks(url, product.databasePrefix, 'wallet');
  await ledger.query(`
    create function fill_disk() returns trigger language plpgsql as $$
    begin raise 'could not extend file' using errcode = '53100'; end $$`);
  admin = await signInAdmin(product.address);
}, 120_000);

afterAll(async () => {
  await Promise.all([books?.end(), ledger?.end()]);
  await product?.stop();
});

const stepOf = async (id: string) =>
  (await books.query('select step, attempts, status from transactions where id = $1', [id])).rows[0];

/** The booked deposits. One that was answered with 503 is registered and gets booked without a repeat. */
const deposits = async () => (await ledger.query(`select 1 from journals where kind = 'deposit'`)).rowCount ?? 0;

test('a transfer whose capture meets a full disk settles once when there is room, and calls meanwhile are clear', {
  timeout: 120_000,
}, async () => {
  const { client, user } = await registerMerchant(product.address, admin, { KES: FUNDS_KES });
  await ledger.query(`
    create trigger full_disk before insert on journals for each row when (new.kind = 'capture')
    execute function fill_disk()`);
  const first = await client.post('/api/transactions/create', order());
  expect(first.status).toBe(201);
  const { id } = first.body.transaction;
  await until(async () => (await stepOf(id)).step === 'capturing', { timeoutMs: 30_000, what: 'it is to be captured' });
  await until(async () => (await stepOf(id)).attempts > 0, { timeoutMs: 30_000, what: 'the ledger refused' });
  const { status, body } = await client.get('/api/balances');
  expect([status, body.balances.KES]).toEqual([200, '99000.00']);

  const before = await deposits();
  await ledger.query('create trigger no_room before insert on journals execute function fill_disk()');
  const later = await client.post('/api/transactions/create', order());
  expect([later.status, later.body.transaction?.status]).toEqual([201, 'PENDING']);
  const deposit = { amount: 1_000, currency: 'KES', reason: 'float', pin: ADMIN_PIN };
  const refused = await admin.post('/api/admin/deposit', deposit);
  expect([refused.status, refused.body.code, refused.body.error]).toEqual([503, 'unavailable', RECORDED]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await stepOf(id)).status).not.toBe('FAILED');

  await ledger.query('drop function fill_disk cascade');
  const simulatorPort = (await product.run()).services['payout-simulator']?.port ?? 0;
  const all = [id, later.body.transaction.id].map((each) => ({ id: each, userId: user.id, payee: 'phone' as const }));
  await until(async () => (await deposits()) === before + 1, { timeoutMs: 60_000, what: 'the deposit is booked' });
  await expectFairEnds(books, all, { simulatorPort, timeoutMs: 60_000 });
  expect((await client.get('/api/balances')).body.balances.KES).toBe('98000.00');
  await expectLedgerHolds(admin);
});
