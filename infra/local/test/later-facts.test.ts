import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@vuka/test-kit/until';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '#start-settings.ts';
import {
  type ApiClient,
  createApiClient,
  order,
  PIN,
  registerMerchant,
  signInAdmin,
  signInApprover,
} from './api-client.ts';
import { openBooks } from './books.ts';
import { startTestProduct, type TestProduct } from './kept-product.ts';

const TIMEOUT_MS = 300_000;
/** Above an administrator's daily limit. */
const LARGE = 10_000_001;
const LOSS = { kind: 'loss', amount: '10', currency: 'TZS', reason: 'paid twice' };

let dir: string;
let dataDir: string;
let product: TestProduct;
let admin: ApiClient;
let approver: ApiClient;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-later-'));
  await chmod(dir, 0o755);
  dataDir = join(dir, 'data');
  await start();
}, 120_000);

afterEach(async () => {
  await product?.end('SIGTERM');
  await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function start(): Promise<void> {
  product = await startTestProduct({}, { dataDir });
  [admin, approver] = [await signInAdmin(product.url), await signInApprover(product.url)];
}

async function run(name: 'backup' | 'restore', option: '--to' | '--from'): Promise<void> {
  const env = { ...process.env, DATABASE_URL: '', AMQP_URL: '', VUKA_WAL_ARCHIVE: '', VUKA_DATA_DIR: dataDir };
  const words = [join(ROOT, `infra/local/src/${name}.ts`), option, join(dir, 'backups')];
  await promisify(execFile)(process.execPath, words, { env });
}

async function query(service: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const books = await openBooks(product.run.serverUrl, 'vuka', service);
  return (await books.query(text, values).finally(() => books.end())).rows;
}

/** Restores the backup. Returns the lines of the list about a kind, each with its columns by name. */
async function restore(): Promise<(kind: string) => Record<string, string>[]> {
  await product.end('SIGTERM');
  await run('restore', '--from');
  const name = (await readdir(dataDir)).find((each) => /^restored-.*\.csv$/.test(each)) ?? '';
  const [header = [], ...rows] = (await readFile(join(dataDir, name), 'utf8'))
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  const facts = rows.map((cells) => Object.fromEntries(header.map((column, index) => [column, cells[index] ?? ''])));
  return (kind) => facts.filter((fact) => fact.kind === kind);
}

async function post(by: ApiClient, path: string, body: object = {}) {
  const { status, body: answer } = await by.post(`/api/admin/${path}`, { pin: by.pin, ...body });
  expect([path, status < 300, answer.error]).toEqual([path, true, undefined]);
  return answer;
}

const decide = (what: 'credits' | 'adjustments', { id }: { id: string }, kind: 'approve' | 'refuse') =>
  post(approver, `${what}/${id}/${kind}`, kind === 'refuse' ? { reason: 'a fraud' } : {});

test('after a restore, an operator who follows the list makes each credit and each adjustment once, and none that was refused', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { user } = await registerMerchant(product.url, admin, {});
  const { merchantId } = user.merchantData;
  const ask = async () => (await post(admin, 'credit-balance', { merchantId, amount: LARGE, currency: 'KES' })).credit;
  const adjust = async () => (await post(admin, 'adjustments', LOSS)).adjustment;
  const [credit, adjustment] = [await ask(), await adjust()];
  await addUnfinishedCredit(credit.id);
  await run('backup', '--to');

  await decide('credits', credit, 'approve');
  await decide('adjustments', adjustment, 'approve');
  const [approved, refused] = [await ask(), await ask()];
  await decide('credits', approved, 'approve');
  // As after a crash before the register had the answer of the ledger: one line for both, not two to enter again.
  const unanswered = `set transaction_id = null, decided_at = now() + interval '1 hour'`;
  await query('admin', `update admin_deposits ${unanswered} where id = $1`, [approved.id]);
  await decide('credits', refused, 'refuse');
  const [approvedAdjustment, refusedAdjustment] = [await adjust(), await adjust()];
  await decide('adjustments', approvedAdjustment, 'approve');
  await decide('adjustments', refusedAdjustment, 'refuse');
  await finishCredit();
  const before = await balancesOf(user.email);

  const listed = await restore();
  const actions = (kind: string) => Object.fromEntries(listed(kind).map(({ id, action }) => [id, action]));
  expect(Object.values(actions('deposit')).sort()).toEqual([
    `do not enter it again: ${credit.reference} waits for approval again`,
    'do not enter it again: CRD-UNFINISHED completes by itself',
    'enter it again',
  ]);
  expect(actions('credit request')).toEqual({ [refused.id]: 'none: it was refused' });
  expect(actions('adjustment')).toEqual({
    [adjustment.id]: 'do not enter it again: it waits for approval again',
    [approvedAdjustment.id]: 'enter it again',
    [refusedAdjustment.id]: 'none: it was refused',
  });

  await start();
  await decide('credits', credit, 'approve');
  await decide('credits', await ask(), 'approve');
  await finishCredit();
  expect(await balancesOf(user.email)).toEqual(before);
});

test('after a restore the list has what was decided on later, however long before that it was entered', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { client, user } = await registerMerchant(product.url, admin, { KES: 200_000 });
  const { merchantId } = user.merchantData;
  const { credit } = await post(admin, 'credit-balance', { merchantId, amount: LARGE, currency: 'KES' });
  const { adjustment } = await post(admin, 'adjustments', LOSS);
  const withdrawal = await orderWithdrawal(client);
  for (const table of ['admin_deposits', 'adjustments'])
    await query('admin', `update ${table} set created_at = created_at - interval '1 day'`);
  await query('transfers', `update transactions set created_at = now() - interval '1 day' where id = $1`, [withdrawal]);
  await run('backup', '--to');
  await decide('credits', credit, 'refuse');
  await decide('adjustments', adjustment, 'refuse');
  await post(approver, `withdrawals/${withdrawal}/refuse`, { reason: 'a fraud' });

  const listed = await restore();
  const again = (id: string) => ({ id, 'status before': 'refused', action: 'refuse it again' });
  expect(listed('credit request')).toMatchObject([{ ...again(credit.id), 'status now': 'awaiting_approval' }]);
  expect(listed('adjustment')).toMatchObject([{ ...again(adjustment.id), 'status now': 'awaiting_approval' }]);
  expect(listed('withdrawal')).toMatchObject([{ ...again(withdrawal), 'status now': 'PENDING' }]);
});

test('after a restore the list has every order, whatever ids the merchant chose for them', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { client, user } = await registerMerchant(product.url, admin, { KES: 100_000 });
  await run('backup', '--to');
  const place = async (changes: object = {}): Promise<string> => {
    const { status, body } = await client.post('/api/transactions/create', order({ ...changes }));
    expect([status, body.error]).toEqual([201, undefined]);
    return body.transaction.id;
  };
  const first = await place();
  const second = await place({ clientTransactionId: `deposit:${'-'.repeat(36)}` });
  const third = await place({ clientTransactionId: `deposit:${first}` });
  const { merchantId } = user.merchantData;
  await post(admin, 'credit-balance', { merchantId, amount: 5, currency: 'KES' });

  const listed = await restore();
  expect(listed('transfer').map(({ id }) => id)).toEqual([first, second, third]);
  expect(listed('deposit')).toMatchObject([{ amount: '5.00', action: 'enter it again' }]);
  expect(listed('credit request')).toEqual([]);
});

/** A withdrawal that waits for approval. */
async function orderWithdrawal(client: ApiClient): Promise<string> {
  const bank = { accountType: 'bank', accountName: 'Test Bank', bankName: 'KCB', accountNumber: '1188997755' };
  const linked = await client.post('/api/linked-accounts', { ...bank, currency: 'KES', pin: PIN });
  const withdrawal = { amount: '150000', currency: 'KES', linkedAccountId: linked.body.id, pin: PIN };
  const { body } = await client.post('/api/withdrawals', { ...withdrawal, clientTransactionId: `W-${randomUUID()}` });
  const isWaiting = async () =>
    (await query('transfers', `select id from transactions where step = 'awaiting_approval'`)).length > 0;
  await until(isWaiting, { timeoutMs: 30_000, everyMs: 100, what: `a withdrawal to wait: ${JSON.stringify(body)}` });
  const [row] = await query('transfers', `select id from transactions where step = 'awaiting_approval'`);
  return String(row?.id);
}

async function balancesOf(username: string) {
  const client = createApiClient(product.url);
  await client.post('/api/login', { username, pin: PIN });
  return (await client.get('/api/balances')).body.balances;
}

/** A small credit in the register, otherwise like another one, whose money does not move before `finishCredit`. */
async function addUnfinishedCredit(like: string): Promise<void> {
  await query(
    'admin',
    `insert into admin_deposits (id, admin_id, admin_user_id, idempotency_key, kind, beneficiary_user_id, beneficiary_id,
      amount, currency, reason, reference, created_at, admin_name, beneficiary_name)
    select gen_random_uuid(), admin_id, admin_user_id, 'unfinished', kind, beneficiary_user_id, beneficiary_id, 5,
      currency, reason, 'CRD-UNFINISHED', now() + interval '1 hour', admin_name, beneficiary_name
    from admin_deposits where id = $1`,
    [like],
  );
}

async function finishCredit(): Promise<void> {
  const which = `where reference = 'CRD-UNFINISHED'`;
  await query('admin', `update admin_deposits set created_at = now() - interval '1 minute' ${which}`);
  const isMoved = async () =>
    (await query('admin', `select from admin_deposits ${which} and transaction_id is not null`)).length > 0;
  await until(isMoved, { timeoutMs: 60_000, everyMs: 200, what: 'the credit to be completed' });
}
