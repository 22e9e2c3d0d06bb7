import { randomUUID } from 'node:crypto';
import { uuidv7 } from '@vuka/service-kit/ids';
import { readKeyring } from '@vuka/service-kit/keyring';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createReceiptCodes } from '#history/receipt-codes.ts';
import { createTransfers, RECEIPT_KEY, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

const codeOf = (id: string, caller: Parameters<Transfers['order']>[0]) =>
  transfers.send('GET', `/internal/transfers/${id}/verification`, { caller });
const check = (code: string) => transfers.send('GET', `/internal/receipt-checks/${code}`);

test('a receipt’s code shows anyone its current contents, with the phone number masked', async () => {
  const amina = transfers.merchant();
  const { transaction } = await transfers.order(amina);
  const { code } = (await codeOf(transaction.id, amina)).body;
  const pending = await check(code);
  expect(pending.body).toEqual({
    genuine: true,
    checkedAt: transfers.clock.now().toISOString(),
    receipt: {
      id: transaction.id,
      type: 'transfer',
      status: 'PENDING',
      createdAt: transaction.created_at,
      sourceAmount: '1000.00',
      sourceCurrency: 'KES',
      targetAmount: '23030.00',
      targetCurrency: 'TZS',
      direction: 'KES_TO_TZS',
      recipientPhone: '+255••••••700',
    },
  });
  await sql`update transactions set status = 'FAILED', is_open = false where id = ${transaction.id}`.execute(
    transfers.db,
  );
  expect((await check(code)).body.receipt.status).toBe('FAILED');
});

test('only those who may see a receipt get its code', async () => {
  const amina = transfers.merchant();
  const { transaction } = await transfers.order(amina);
  expect((await codeOf(transaction.id, amina)).status).toBe(200);
  expect(
    (await codeOf(transaction.id, { ...transfers.merchant(), isAdmin: true, role: 'owner' as const })).status,
  ).toBe(200);
  expect((await codeOf(transaction.id, transfers.merchant())).status).toBe(404);
  expect((await codeOf(randomUUID(), amina)).status).toBe(404);
  expect((await transfers.send('GET', `/internal/transfers/${transaction.id}/verification`)).status).toBe(401);
});

test('a forged code is not genuine, whether or not its transfer exists, and no table is read', async () => {
  const amina = transfers.merchant();
  const { transaction } = await transfers.order(amina);
  const forger = createReceiptCodes(readKeyring('a key that somebody else has made up'));
  const select = vi.spyOn(transfers.db, 'selectFrom');
  const answers = [await check(forger.codeOf(transaction.id)), await check(forger.codeOf(uuidv7()))];
  const notGenuine = { genuine: false, checkedAt: transfers.clock.now().toISOString() };
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, notGenuine],
    [200, notGenuine],
  ]);
  expect((await check('x'.repeat(107))).status).toBe(400);
  expect(select).not.toHaveBeenCalled();
  expect((await check(createReceiptCodes(RECEIPT_KEY).codeOf(uuidv7()))).body).toEqual(notGenuine);
  expect(select).toHaveBeenCalledOnce();
  select.mockRestore();
});
