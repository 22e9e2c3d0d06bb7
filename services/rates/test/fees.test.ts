import { randomUUID } from 'node:crypto';
import { pruneFirstAnswers } from '@vuka/service-kit/first-answers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRates, type Rates, admin as signedIn } from './harness.ts';

/** An administrator who gave the PIN with the call. */
const admin = { ...signedIn, pinVerified: true };
let rates: Rates;
beforeAll(async () => {
  rates = await createRates();
});
afterAll(() => rates.stop());

const band = {
  transactionType: 'withdrawal',
  currency: 'KES',
  minAmount: '0',
  maxAmount: '1000',
  fixedFee: 15,
  percentageFee: '0.5',
};
const add = (fee: object = {}, caller = admin, key?: string) =>
  rates.send('POST', '/internal/fees', { payload: { ...band, ...fee }, caller, ...(key ? { key } : {}) });
const remove = (id: string) => rates.send('POST', '/internal/fees/remove', { payload: { id }, caller: admin });
const list = async () => (await rates.send('GET', '/internal/fees', { caller: admin })).body.fees;
const published = async (type: string) => (await rates.events()).filter(({ envelope }) => envelope.type === type);
const publishedPrices = () => published('rates.updated.v1');
const actions = async () => (await published('admin.action-recorded.v1')).map(({ envelope }) => envelope.data);
const priced = async () => (await rates.send('GET', '/internal/pricing')).body;

test('a fee set before any rate is published with the first rate', async () => {
  const { status, body } = await add();
  expect(status).toBe(201);
  expect(body).toMatchObject({ minAmount: '0.00', maxAmount: '1000.00', fixedFee: '15.00', percentageFee: '0.5' });
  expect((await rates.events()).map(({ envelope }) => envelope.type)).toEqual(['admin.action-recorded.v1']);
  await rates.send('POST', '/internal/rates', { payload: { buyRate: 23.5, markup: 2 }, caller: admin });
  expect((await publishedPrices()).at(-1)?.envelope.data).toMatchObject({ fees: [{ fixedFee: '15.00' }] });
});

test('each change of fees publishes a new version of the prices and is audited with its author', async () => {
  const before = await priced();
  const { body: added } = await add({ minAmount: 1000, maxAmount: null });
  const after = await priced();
  expect(after.version).toBe(before.version + 1);
  expect(after.fees).toHaveLength(2);
  expect((await publishedPrices()).at(-1)?.envelope).toMatchObject({ type: 'rates.updated.v1', data: after });
  expect(await list()).toContainEqual(expect.objectContaining({ id: added.id, updatedByName: 'Wanjiru' }));
  expect((await remove(added.id)).body).toEqual({ ok: true });
  expect((await priced()).version).toBe(before.version + 2);
  expect((await priced()).fees).toHaveLength(1);
  const label = 'withdrawal KES from 1000.00 upwards';
  const subject = { kind: 'fees', id: added.id, label };
  expect((await actions()).slice(-2)).toMatchObject([
    { action: 'fee.added', actor: { adminId: 'ADM1' }, subject, before: null, after: { fixedFee: '15.00' } },
    { action: 'fee.removed', subject, before: { fixedFee: '15.00', percentageFee: '0.5' }, after: null },
  ]);
});

test('an overlapping band is refused and changes nothing; ten identical concurrent ones leave one', async () => {
  const before = await priced();
  expect(await add({ minAmount: 999, maxAmount: 5000 })).toMatchObject({
    status: 400,
    body: { error: 'This overlaps the fee from 0.00 to 1,000.00. Remove that one first, or choose other amounts.' },
  });
  expect(await priced()).toEqual(before);
  const results = await Promise.all(Array.from({ length: 10 }, () => add({ currency: 'TZS' })));
  expect(results.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await list()).filter((fee: { currency: string }) => fee.currency === 'TZS')).toHaveLength(1);
  expect((await actions()).filter((action) => JSON.stringify(action).includes('"TZS"'))).toHaveLength(1);
});

test.each([
  [{ transactionType: 'exchange' }, 'Transaction type must be transfer or withdrawal'],
  [{ currency: 'USD' }, 'Currency must be KES or TZS'],
  [{ minAmount: '-1' }, 'Minimum amount must be a number with at most 2 decimals'],
  [{ minAmount: 1000, maxAmount: 1000 }, 'Maximum amount must be greater than the minimum amount'],
  [{ fixedFee: '1.005' }, 'Fixed fee must be a number with at most 2 decimals'],
  [{ percentageFee: 100.01 }, 'Percentage fee must be between 0 and 100, with at most 4 decimals'],
])('a fee with %o is refused', async (fee, error) => {
  expect(await add(fee)).toMatchObject({ status: 400, body: { error } });
});

test('an unknown fee cannot be removed', async () => {
  expect(await remove('999999')).toMatchObject({ status: 404, body: { error: 'Fee not found' } });
  expect((await remove('x')).status).toBe(400);
});

test('fees are available without a rate, and only to services', async () => {
  const { body } = await rates.send('GET', '/internal/fees-in-force');
  expect(body.fees).toEqual((await priced()).fees);
});

test('only administrators see and change fees, and changes need a verified PIN', async () => {
  const merchant = { ...admin, isAdmin: false };
  expect((await add({}, signedIn)).body.code).toBe('invalid_pin');
  expect((await rates.send('GET', '/internal/fees')).status).toBe(401);
  expect((await rates.send('GET', '/internal/fees', { caller: merchant })).status).toBe(403);
  expect((await add({}, merchant)).status).toBe(403);
  expect((await rates.send('POST', '/internal/fees/remove', { payload: { id: '1' }, caller: merchant })).status).toBe(
    403,
  );
});

test('under one key a fee is added once, by repeats and concurrent requests, and the answer outlives the fee', async () => {
  const fee = { transactionType: 'transfer', currency: 'TZS', maxAmount: null };
  const { version } = await priced();
  const answers = await Promise.all(Array.from({ length: 10 }, () => add(fee, admin, 'fee-of-the-day')));
  const [first] = answers;
  expect(first?.status).toBe(201);
  for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 201, body: first?.body });
  expect((await priced()).version).toBe(version + 1);
  expect((await list()).filter(({ id }: { id: string }) => id === first?.body.id)).toHaveLength(1);
  expect((await remove(first?.body.id)).status).toBe(200);
  expect((await add(fee, admin, 'fee-of-the-day')).body).toEqual(first?.body);
  expect((await list()).filter(({ id }: { id: string }) => id === first?.body.id)).toHaveLength(0);
});

test('a key with another fee is refused, and another administrator may use the same key', async () => {
  const key = 'key-of-two-fees';
  const fee = { transactionType: 'transfer', currency: 'KES', maxAmount: 10 };
  expect((await add(fee, admin, key)).status).toBe(201);
  expect(await add({ ...fee, fixedFee: 16 }, admin, key)).toMatchObject({
    status: 409,
    body: { code: 'idempotency_conflict', error: 'This Idempotency-Key was used for a different request.' },
  });
  const other = { ...admin, userId: randomUUID() };
  expect((await add({ ...fee, minAmount: 10, maxAmount: 20 }, other, key)).status).toBe(201);
});

test('a key stands for a new request after 24 hours, and a refused request leaves none behind', async () => {
  const key = 'key-of-a-day';
  const fee = { transactionType: 'transfer', currency: 'KES', minAmount: 20, maxAmount: 30 };
  expect((await add({ ...fee, minAmount: 5 }, admin, key)).status).toBe(400);
  const { body: first } = await add(fee, admin, key);
  await remove(first.id);
  await sql`update first_answers set answered_at = now() - interval '24 hours' where key = ${key}`.execute(rates.db);
  const { status, body: second } = await add(fee, admin, key);
  expect(status).toBe(201);
  expect(second.id).not.toBe(first.id);
  await sql`update first_answers set answered_at = now() - interval '24 hours'`.execute(rates.db);
  expect(await pruneFirstAnswers(rates.db)).toBeGreaterThan(0);
  expect(await rates.db.selectFrom('first_answers').selectAll().execute()).toEqual([]);
});
