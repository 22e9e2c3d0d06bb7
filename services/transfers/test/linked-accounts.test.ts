import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

const phone = (number: number) => ({
  accountType: 'mobile_money',
  accountName: `Phone ${number}`,
  phoneNumber: `+2547123456${String(number).padStart(2, '0')}`,
  carrier: 'M-PESA',
});
const bank = {
  accountType: 'bank',
  accountName: 'Amina Otieno',
  currency: 'TZS',
  bankName: 'CRDB Bank',
  accountNumber: '015-223344',
  swiftCode: 'CORUTZTZ',
};
const path = '/internal/linked-accounts';
const link = (caller: Caller, account: object, key?: string) =>
  transfers.send('POST', path, { payload: account, caller, ...(key ? { key } : {}) });
const list = async (caller: Caller) => (await transfers.send('GET', path, { caller })).body.accounts;
const change = (caller: Caller, id: string, asked: object) =>
  transfers.send('POST', `${path}/change`, { payload: { id, change: asked }, caller });
const deactivate = (caller: Caller, id: string) =>
  transfers.send('POST', `${path}/deactivate`, { payload: { id }, caller });

test('a phone has the currency and country of its number; the first account of a currency is its default', async () => {
  const amina = transfers.merchant();
  expect((await link(amina, phone(1))).body).toMatchObject({
    currency: 'KES',
    isDefault: true,
    mobileMoney: { countryCode: 'KE', carrier: 'M-PESA' },
    bank: null,
  });
  expect((await link(amina, phone(2))).body.isDefault).toBe(false);
  expect((await link(amina, bank)).body).toMatchObject({
    currency: 'TZS',
    isDefault: true,
    bank: { swiftCode: 'CORUTZTZ', branchCode: null },
  });
});

test('linking needs a verified PIN, and only the owner sees the account', async () => {
  const amina = transfers.merchant();
  expect((await link({ ...amina, pinVerified: false }, phone(1))).body.code).toBe('invalid_pin');
  const { body } = await link(amina, phone(1));
  const other = transfers.merchant();
  expect(await list(other)).toEqual([]);
  for (const answer of [await change(other, body.id, { isDefault: true }), await deactivate(other, body.id)]) {
    expect(answer).toMatchObject({ status: 404, body: { error: 'Linked account not found' } });
  }
  expect((await transfers.send('GET', path)).status).toBe(401);
  expect(await list(amina)).toHaveLength(1);
});

test('the same account is linked only once, even concurrently, and again after removal', async () => {
  const amina = transfers.merchant();
  const results = await Promise.all(Array.from({ length: 5 }, () => link(amina, phone(1))));
  expect(results.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  const [account] = await list(amina);
  expect((await deactivate(amina, account.id)).status).toBe(200);
  expect((await link(amina, phone(1))).status).toBe(201);
});

test('at most ten accounts are active, however many are linked concurrently', async () => {
  const amina = transfers.merchant();
  const results = await Promise.all(Array.from({ length: 14 }, (_, number) => link(amina, phone(number))));
  expect(results.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(results.find(({ status }) => status === 400)?.body.error).toBe(
    'You can link at most 10 accounts. Remove one that you do not use.',
  );
  const [first] = await list(amina);
  await deactivate(amina, first.id);
  expect((await link(amina, phone(20))).status).toBe(201);
});

async function rowsOf({ userId }: Caller) {
  const { rows } = await sql`
    select count(*)::int as accounts, count(mobile)::int as phones, count(bank)::int as banks,
      count(recipient)::int as recipients
    from linked_accounts account
      left join mobile_money_accounts mobile on mobile.linked_account_id = account.id
      left join bank_accounts bank on bank.linked_account_id = account.id
      left join payment_recipients recipient on recipient.linked_account_id = account.id
    where account.user_id = ${userId}`.execute(transfers.db);
  return rows[0] as { accounts: number; phones: number; banks: number; recipients: number };
}
const withdraw = (caller: Caller, linkedAccountId: string) =>
  transfers.send('POST', '/internal/withdrawals', {
    payload: { amount: '500', currency: 'KES', linkedAccountId, clientTransactionId: `W-${randomUUID()}` },
    caller: { ...caller, name: 'Amina Otieno' },
  });

test('an account that is linked and removed leaves nothing behind, however often', async () => {
  const amina = transfers.merchant();
  await link(amina, phone(1));
  const before = await rowsOf(amina);
  for (let round = 0; round < 50; round++) {
    const { body } = await link(amina, round % 2 ? phone(2) : bank);
    expect((await deactivate(amina, body.id)).status).toBe(200);
  }
  expect(await rowsOf(amina)).toEqual(before);
});

test('an account that was paid keeps its details after its removal, and its withdrawals show them', async () => {
  const amina = transfers.merchant();
  const { body: account } = await link(amina, { ...bank, currency: 'KES' });
  expect((await withdraw(amina, account.id)).status).toBe(200);
  expect((await deactivate(amina, account.id)).status).toBe(200);
  expect(await list(amina)).toEqual([]);
  expect(await rowsOf(amina)).toEqual({ accounts: 1, phones: 0, banks: 1, recipients: 1 });
  const { body } = await transfers.send('GET', '/internal/withdrawals', { caller: amina });
  expect(body.withdrawals).toMatchObject([{ bankName: 'CRDB Bank', recipientAccount: '015-223344' }]);
  expect((await withdraw(amina, account.id)).body.code).toBe('not_found');
});

/** Runs `request` while another transaction has executed `statement`, and commits it once the request waits for it. */
async function besideCommit<Answer>(statement: string, request: () => Promise<Answer>): Promise<Answer> {
  const other = await transfers.pool.connect();
  try {
    await other.query(`begin; ${statement}`);
    const answer = request();
    await until(async () => {
      const { rowCount } = await other.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rowCount ? true : null;
    });
    await other.query('commit');
    return await answer;
  } finally {
    other.release();
  }
}

test('an account to which a withdrawal is being made while it is removed keeps its row', async () => {
  const amina = transfers.merchant();
  const { body: account } = await link(amina, phone(1));
  const { status } = await besideCommit(
    `select from linked_accounts where id = '${account.id}' for share;
     insert into withdrawals (transaction_id, user_id, owner_name, linked_account_id, description, status, amount, currency,
       recipient_account, recipient_name, requires_approval, created_at, updated_at)
     values (gen_random_uuid(), '${amina.userId}', 'Amina Otieno', '${account.id}', 'Withdrawal', 'pending', 100, 'KES',
       '+254712345601', 'Amina Otieno', false, now(), now())`,
    () => deactivate(amina, account.id),
  );
  expect(status).toBe(200);
  expect(await list(amina)).toEqual([]);
  expect(await rowsOf(amina)).toEqual({ accounts: 1, phones: 1, banks: 0, recipients: 1 });
});

test('a withdrawal to an account that is being removed is refused as to a removed one', async () => {
  const amina = transfers.merchant();
  const { body: account } = await link(amina, phone(1));
  const answer = await besideCommit(
    `delete from mobile_money_accounts where linked_account_id = '${account.id}';
     delete from payment_recipients where linked_account_id = '${account.id}';
     delete from linked_accounts where id = '${account.id}'`,
    () => withdraw(amina, account.id),
  );
  expect(answer).toMatchObject({ status: 404, body: { error: 'Linked account not found' } });
});

test('each currency has exactly one default, under concurrent changes and after removal', async () => {
  const amina = transfers.merchant();
  for (const number of [1, 2, 3]) await link(amina, phone(number));
  const ids = (await list(amina)).map(({ id }: { id: string }) => id);
  await Promise.all(ids.map((id: string) => change(amina, id, { isDefault: true })));
  const defaults = (await list(amina)).filter(({ isDefault }: { isDefault: boolean }) => isDefault);
  expect(defaults).toHaveLength(1);
  await deactivate(amina, defaults[0].id);
  expect((await list(amina)).filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1);
  const renamed = await change(amina, (await list(amina))[0].id, { accountName: 'Shop' });
  expect(renamed.body).toMatchObject({ accountName: 'Shop', isDefault: true });
});

test('a phone may be of any country that the table of corridors adds: the database checks only the form of its code', async () => {
  const amina = transfers.merchant();
  await link(amina, phone(1));
  const [account] = await list(amina);
  const setCountry = (code: string) =>
    transfers.db
      .updateTable('mobile_money_accounts')
      .set({ country_code: code })
      .where('linked_account_id', '=', account.id)
      .execute();
  await setCountry('UG');
  await expect(setCountry('u1')).rejects.toThrow('mobile_money_accounts_country_is_iso');
});

test('under one key an account is linked once, by repeats and concurrent requests, and a removed one stays removed', async () => {
  const amina = transfers.merchant();
  const answers = await Promise.all(Array.from({ length: 5 }, () => link(amina, phone(1), 'link-phone')));
  const [first] = answers;
  for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 201, body: first?.body });
  expect(await list(amina)).toHaveLength(1);
  await deactivate(amina, first?.body.id);
  expect((await link(amina, phone(1), 'link-phone')).body).toEqual(first?.body);
  expect(await list(amina)).toEqual([]);
  expect((await link(amina, phone(2), 'link-phone')).body.code).toBe('idempotency_conflict');
  expect((await link({ ...amina, pinVerified: false }, phone(1), 'link-phone')).body.code).toBe('invalid_pin');
});

test('under one key a quote is the same quote, also concurrently', async () => {
  const caller = transfers.merchant();
  const payload = { direction: 'KES_TO_TZS', sourceAmount: '1000' };
  const ask = (amount = payload.sourceAmount) =>
    transfers.send('POST', '/internal/quotes', {
      payload: { ...payload, sourceAmount: amount },
      caller,
      key: 'my-quote',
    });
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask()));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect((await ask('1001')).body.code).toBe('idempotency_conflict');
});
