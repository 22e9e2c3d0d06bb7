import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transfersTo } from '#history/transfers-to.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

/** Another administrator each time: a reading is recorded once an hour for each. */
function administrator(role: Caller['role'] = 'support'): Caller {
  return { ...transfers.merchant(), isAdmin: true, role, adminId: 'ADM1' };
}

async function search(recipient: string, query: Record<string, string> = {}, caller = administrator()) {
  const asked = new URLSearchParams({ recipient, ...query });
  return transfers.send('GET', `/internal/transfers-to?${asked}`, { caller });
}

async function idsTo(recipient: string, query: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await search(recipient, query);
  expect(status).toBe(200);
  return body.items.map((item: { id: string }) => item.id);
}

let local = 711_000_000;
const newLocal = (): string => String(++local);

async function orderTo(recipientPhone: string, ended?: 'SETTLED' | 'FAILED'): Promise<string> {
  transfers.clock.advance(1_000);
  const toKenya = recipientPhone.startsWith('+254');
  const { transaction } = await transfers.order(transfers.merchant(10_000_000_00n), {
    recipientPhone,
    ...(toKenya ? { direction: 'TZS_TO_KES', sourceAmount: '350000', targetAmount: '14596' } : {}),
  });
  if (ended) {
    await sql`update transactions set status = ${ended}, is_open = false where id = ${transaction.id}`.execute(
      transfers.db,
    );
  }
  return transaction.id;
}

test('the transfers of all merchants to a number are found, open and ended, newest first', async () => {
  const number = newLocal();
  const settled = await orderTo(`+255${number}`, 'SETTLED');
  const failed = await orderTo(`+255${number}`, 'FAILED');
  await orderTo(`+255${newLocal()}`, 'SETTLED');
  const open = await orderTo(`+255${number}`);
  for (const typed of [`+255${number}`, `255${number}`, `0${number}`, `+255 ${number.replace(/(...)/g, '$1 ')}`])
    expect(await idsTo(typed)).toEqual([open, failed, settled]);
});

test('a number without its country is searched in every country, one with it only there', async () => {
  const number = newLocal();
  const inTanzania = await orderTo(`+255${number}`, 'SETTLED');
  const inKenya = await orderTo(`+254${number}`, 'SETTLED');
  expect(await idsTo(`0${number}`)).toEqual([inKenya, inTanzania]);
  expect(await idsTo(`254${number}`)).toEqual([inKenya]);
});

test('only the whole number finds', async () => {
  const number = newLocal();
  await orderTo(`+255${number}`, 'SETTLED');
  for (const part of [number.slice(0, 8), `+255${number.slice(0, 8)}`, `${number}1`, '+255', '%', '']) {
    const { status, body } = await search(part);
    expect([status, body.error]).toEqual([400, 'Enter a whole phone number']);
  }
  expect(await idsTo(`+255${newLocal()}`)).toEqual([]);
});

test('pages continue where the one before ended', async () => {
  const number = newLocal();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++)
    ids.unshift(await orderTo(`+255${number}`, count < 3 ? 'SETTLED' : undefined));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await search(number, { limit: '2', ...(cursor ? { cursor } : {}) });
    seen.push(...body.items.map((item: { id: string }) => item.id));
    cursor = body.nextCursor;
  } while (cursor);
  expect(seen).toEqual(ids);
});

test('a search goes on the audit trail once an hour, with what it found and without the number', async () => {
  const number = newLocal();
  const id = await orderTo(`+255${number}`, 'SETTLED');
  const caller = administrator('auditor');
  await search(`+255${number}`, {}, caller);
  await search(`255${number}`, {}, caller);
  const entries = (await transfers.messagesInOutbox())
    .map(({ envelope }) => envelope.data as { action?: string; actor?: { userId: string } })
    .filter(({ action, actor }) => action === 'transfers.searched' && actor?.userId === caller.userId);
  expect(entries).toMatchObject([{ after: { shown: 1, found: [id] } }]);
  expect(JSON.stringify(entries)).not.toContain(number);
});

test('only administrators whose role shows transfers may search', async () => {
  const asked = '/internal/transfers-to?recipient=0763456700';
  const statusFor = async (caller?: Caller) => (await transfers.send('GET', asked, caller ? { caller } : {})).status;
  expect(await statusFor()).toBe(401);
  expect(await statusFor(transfers.merchant())).toBe(403);
  expect(await statusFor(administrator('finance'))).toBe(403);
  expect(await statusFor(administrator('operations'))).toBe(200);
});

test('with 40,000 transfers, 20,000 of them to one number, a page reads only the index', async () => {
  await sql`
    insert into transactions (id, user_id, recipient_phone, transaction_type, client_transaction_id, request_hash,
      direction, source_amount, source_currency, target_amount, target_currency, mid_amount, status, step, is_open,
      created_at, updated_at)
    select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + n), 12, '0') || '70008000' || lpad(n::text, 12, '0'))::uuid,
      gen_random_uuid(), case when n % 2 = 0 then '+255799999999' else '+25579' || lpad(n::text, 7, '0') end, 'transfer',
      n::text, '', 'KES_TO_TZS', 100000, 'KES', 2303000, 'TZS', 2350000, 'SETTLED', 'settled', false, now(), now()
    from generate_series(1, 40000) as n`.execute(transfers.db);
  await sql`vacuum analyze transactions`.execute(transfers.db);
  const query = transfersTo({ phones: ['+254799999999', '+255799999999'], limit: 50, cursor: randomUUID() });
  const explained = sql<{ 'QUERY PLAN': string }>`explain (analyze, timing off) ${query}`;
  const { rows } = await explained.execute(transfers.db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Only Scan using transactions_to_phone');
  expect(plan).not.toMatch(/Seq Scan on transactions|rows=\d{3,}\.\d\d loops/);
});
