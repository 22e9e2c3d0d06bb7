import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { adminCaller } from '@vuka/test-kit/callers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

const read = async (what: string, caller: Caller, userId = caller.userId) =>
  transfers.send('GET', `/internal/accounts/${userId}/${what}`, { caller });

test('every transfer is in the export once, over its pages, and none of others', async () => {
  const [amina, other] = [transfers.merchant(), transfers.merchant()];
  const { transaction } = await transfers.order(amina);
  await transfers.order(other);
  await sql`
    insert into transactions (id, user_id, transaction_type, client_transaction_id, request_hash, source_amount,
      source_currency, target_amount, target_currency, mid_amount, status, step, is_open, created_at, updated_at)
    select gen_random_uuid(), user_id, transaction_type, 'copy ' || n, request_hash, source_amount, source_currency,
      target_amount, target_currency, mid_amount, 'SETTLED', 'settled', false, created_at, updated_at
    from transactions, generate_series(1, 1100) n where id = ${transaction.id}`.execute(transfers.db);
  const ids: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await read(`transfers${cursor ? `?cursor=${cursor}` : ''}`, amina);
    expect(status).toBe(200);
    ids.push(...body.items.map(({ id }: { id: string }) => id));
    sizes.push(body.items.length);
    cursor = body.nextCursor;
  }
  expect(sizes).toEqual([500, 500, 101]);
  expect(new Set(ids).size).toBe(1101);
});

test('an account that was removed is in the export if it was paid, and a thousand accounts are', async () => {
  const amina = transfers.merchant();
  const bank = { accountType: 'bank', accountName: 'Old bank', bankName: 'KCB', currency: 'KES' };
  const removed = async (accountNumber: string, isPaid: boolean) => {
    const asked = { caller: { ...amina, name: 'Amina Otieno' }, payload: { ...bank, accountNumber } };
    const { body } = await transfers.send('POST', '/internal/linked-accounts', asked);
    const order = { amount: '500', currency: 'KES', linkedAccountId: body.id, clientTransactionId: 'W-to-old-bank' };
    if (isPaid) await transfers.send('POST', '/internal/withdrawals', { ...asked, payload: order });
    await transfers.send('POST', '/internal/linked-accounts/deactivate', { ...asked, payload: { id: body.id } });
  };
  await removed('5566778899', true);
  await removed('9988776655', false);
  const exported = async () => (await read('linked-accounts', amina)).body.accounts;
  expect(await exported()).toMatchObject([{ bank: { accountNumber: '5566778899' } }]);
  await sql`
    insert into linked_accounts (id, user_id, account_type, account_name, currency, is_active, created_at, updated_at)
    select gen_random_uuid(), ${amina.userId}, 'bank', 'Old bank', 'KES', false, now(), now()
    from generate_series(1, 1100)`.execute(transfers.db);
  expect(await exported()).toHaveLength(1_000);
});

test.each(['linked-accounts', 'transfers', 'withdrawals'])(
  '%s of another user are for administrators who may',
  async (what) => {
    const amina = transfers.merchant();
    const asks = [
      transfers.merchant(),
      { ...adminCaller, role: 'finance' as const },
      { ...adminCaller, role: 'support' as const },
    ];
    const statuses = await Promise.all(asks.map(async (caller) => (await read(what, caller, amina.userId)).status));
    expect(statuses).toEqual([403, 403, 200]);
    expect((await read(what, { ...amina, userId: randomUUID() }, amina.userId)).status).toBe(403);
  },
);
