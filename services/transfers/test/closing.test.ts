import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { ACCOUNT_CLOSED } from '@vuka/contracts/messages/identity';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import type { Delivery } from '@vuka/service-kit/messaging/message-bus';
import { adminCaller } from '@vuka/test-kit/callers';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eraseClosedAccount } from '#closing/erase-account.ts';
import { lockAccount, resumeForgotten } from '#closing/stop-account.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());
beforeEach(async () => {
  transfers.clock.set(new Date());
  await transfers.settleClock();
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  Object.assign(transfers.fakes.switches, { walletUnavailable: false, identityUnavailable: false });
});

const ask = (path: 'stop' | 'resume', caller: Caller, userId = caller.userId, stopped?: string) =>
  transfers.send('POST', `/internal/accounts/${path}`, { caller, payload: { userId, ...(stopped && { stopped }) } });
async function passTimeToResume(): Promise<void> {
  transfers.clock.advance(121_000);
  await transfers.settleClock();
}
const closedEvent = (userId: string) => {
  const data = { userId, at: new Date().toISOString() };
  return { envelope: cloudEvent({ source: '/vuka/identity', type: ACCOUNT_CLOSED, data }) } as Delivery;
};
const erase = (userId: string) => eraseClosedAccount(transfers.deps, closedEvent(userId));
const link = (caller: Caller, more: object, key = randomUUID()) =>
  transfers.send('POST', '/internal/linked-accounts', { caller, key, payload: { isDefault: true, ...more } });
const usageOf = (userId: string) =>
  transfers.db
    .selectFrom('limit_usage')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('currency')
    .orderBy('side')
    .execute();

test('a stopped account sends nothing, and sends again, with the same limits, when it resumes', async () => {
  const amina = transfers.merchant(0n);
  await sql`insert into limit_usage values (${amina.userId}, 'KES', 'out', current_date, 700, 900, date_trunc('month', now()), 800, 900)`.execute(
    transfers.db,
  );
  const before = (await usageOf(amina.userId)).filter(({ side, currency }) => side === 'out' && currency === 'KES');
  expect((await ask('stop', amina)).status).toBe(200);
  transfers.fakes.balances.set(amina.userId, 1_000_000_00n);
  expect(await transfers.order(amina)).toMatchObject({ ok: false, code: 'limit_exceeded' });
  expect((await ask('resume', amina)).status).toBe(200);
  expect((await usageOf(amina.userId)).filter(({ side, currency }) => side === 'out' && currency === 'KES')).toEqual(
    before,
  );
  expect(await transfers.order(amina)).toMatchObject({ ok: true });
});

test('of two attempts to close an account, the refusal of one does not let it resume under the other', async () => {
  const amina = transfers.merchant(0n);
  const first = await ask('stop', amina);
  const second = await ask('stop', amina);
  expect([first.body.resumesAt, second.body.resumesAt]).toEqual([expect.any(String), null]);
  expect((await ask('resume', amina, amina.userId, first.body.resumesAt)).status).toBe(200);
  transfers.fakes.balances.set(amina.userId, 1_000_000_00n);
  expect(await transfers.order(amina)).toMatchObject({ ok: false, code: 'limit_exceeded' });
  // Nor does money that arrived in the wallet by then.
  expect((await ask('stop', amina)).body).toMatchObject({ reason: 'account_has_money' });
  expect(await transfers.order(amina)).toMatchObject({ ok: false, code: 'limit_exceeded' });
  await passTimeToResume();
  await resumeForgotten(transfers.deps);
  expect(await transfers.order(amina)).toMatchObject({ ok: true });
});

test('an account that only one attempt stopped resumes at its refusal', async () => {
  const amina = transfers.merchant(0n);
  const { body } = await ask('stop', amina);
  expect((await ask('resume', amina, amina.userId, body.resumesAt)).status).toBe(200);
  transfers.fakes.balances.set(amina.userId, 1_000_000_00n);
  expect(await transfers.order(amina)).toMatchObject({ ok: true });
});

test('an account with money, or with a transfer that has not ended, is not stopped', async () => {
  const rich = transfers.merchant(1_00n);
  expect((await ask('stop', rich)).body).toMatchObject({ code: 'account_not_empty', reason: 'account_has_money' });
  const busy = transfers.merchant();
  await transfers.order(busy);
  expect((await ask('stop', busy)).body).toMatchObject({ reason: 'account_has_transfers' });
  for (const { userId } of [rich, busy]) {
    const rows = await transfers.db.selectFrom('closed_accounts').selectAll().where('user_id', '=', userId).execute();
    expect(rows).toEqual([]);
  }
  transfers.fakes.balances.set(rich.userId, 1_000_000_00n);
  expect(await transfers.order(rich)).toMatchObject({ ok: true });
});

test('of an order and a stop at the same moment one is refused', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 25; round++) {
    const caller = transfers.merchant();
    const [order, stop] = await Promise.all([
      transfers.order(caller),
      (async () => {
        for (let turn = 0; turn < round % 5; turn++) await transfers.db.selectFrom('limits').selectAll().execute();
        return ask('stop', caller);
      })(),
    ]);
    // The money is reserved by an order that was accepted, or still there.
    expect(stop.status).toBe(409);
    outcomes.add(`${order.ok} ${stop.body.reason}`);
    const open = await transfers.db
      .selectFrom('transactions')
      .select('id')
      .where('user_id', '=', caller.userId)
      .execute();
    expect(open).toHaveLength(order.ok ? 1 : 0);
  }
  expect([...outcomes]).not.toContain('false account_has_transfers');
});

/** Whether one statement waits for another transaction. */
async function waitsForLock(): Promise<boolean> {
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return (await transfers.pool.query(waiting)).rowCount === 1;
}

test('an order that waits for a stop is refused once the stop is committed', async () => {
  const caller = transfers.merchant();
  await sql`insert into limit_usage values (${caller.userId}, 'KES', 'out', current_date, 0, 0, date_trunc('month', now()), 0, 0)`.execute(
    transfers.db,
  );
  const stopping = await transfers.pool.connect();
  await stopping.query('begin');
  await stopping.query(
    `update limit_usage set day = '9999-12-31', month = '9999-12-31', day_amount = 1e17, day_allowed = 1e17,
       month_amount = 1e17, month_allowed = 1e17 where user_id = $1`,
    [caller.userId],
  );
  const order = transfers.order(caller);
  await until(waitsForLock);
  await stopping.query('commit');
  stopping.release();
  expect(await order).toMatchObject({ ok: false, code: 'limit_exceeded' });
  const rows = await transfers.db
    .selectFrom('transactions')
    .select('id')
    .where('user_id', '=', caller.userId)
    .execute();
  expect(rows).toEqual([]);
});

test('a payment to a stopped merchant goes back to its sender', async () => {
  const juma = transfers.merchant(0n);
  const phone = '+255763450099';
  transfers.fakes.merchants.set(phone, { userId: juma.userId, name: 'Juma', tier: 'verified' });
  expect((await ask('stop', juma)).status).toBe(200);
  const amina = transfers.merchant();
  const { transaction } = await transfers.order(amina, { recipientPhone: phone });
  await transfers.execute(transaction.id);
  expect(await transfers.transfer(transaction.id)).toMatchObject({ status: 'FAILED', error_code: 'recipient_limit' });
});

const deposit = (userId: string, key: string = randomUUID()) => {
  const payload = { key, userId, currency: 'KES', amount: '10.00', adminId: adminCaller.userId, description: 'x' };
  return transfers.send('POST', '/internal/deposits', { caller: adminCaller, payload });
};

test('a deposit to a stopped account is refused', async () => {
  const amina = transfers.merchant(0n);
  await ask('stop', amina);
  const { status, body } = await deposit(amina.userId);
  expect([status, body.code]).toEqual([503, 'unavailable']);
});

test('a deposit that comes while its account is being stopped waits, and is refused', async () => {
  const { userId } = transfers.merchant(0n);
  const made = await transfers.db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId);
    const at = new Date();
    const stop = { user_id: userId, stopped_at: at, resumes_at: new Date(at.getTime() + 120_000), usage: '[]' };
    await trx.insertInto('closed_accounts').values(stop).execute();
    const answer = deposit(userId);
    await until(waitsForLock);
    return { answer };
  });
  expect(await made.answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  const rows = await transfers.db.selectFrom('transactions').select('id').where('user_id', '=', userId).execute();
  expect(rows).toEqual([]);
});

test('a deposit to a closed account is refused for good, unless it was made before', async () => {
  const amina = transfers.merchant(0n);
  const key = randomUUID();
  const before = await deposit(amina.userId, key);
  await erase(amina.userId);
  expect(await deposit(amina.userId)).toMatchObject({ status: 404, body: { reason: 'credit_to_closed_account' } });
  expect(await deposit(amina.userId, key)).toMatchObject({ status: 201, body: before.body });
});

test('only the user with the PIN, or an administrator who may, stops an account', async () => {
  const [amina, other] = [transfers.merchant(0n), transfers.merchant(0n)];
  const finance = { ...adminCaller, pinVerified: true, role: 'finance' as const };
  const codes = [
    (await ask('stop', { ...amina, pinVerified: false })).body.code,
    (await ask('stop', other, amina.userId)).body.code,
    (await ask('stop', finance, amina.userId)).body.code,
    (await ask('stop', { ...finance, role: 'support' }, amina.userId)).status,
  ];
  expect(codes).toEqual(['invalid_pin', 'forbidden', 'forbidden', 200]);
});

test('a closing that was given up ends by itself, but only once identity says that the account is not closed', async () => {
  const [given, closed] = [transfers.merchant(0n), transfers.merchant(0n)];
  for (const caller of [given, closed]) await ask('stop', caller);
  transfers.fakes.closed.add(closed.userId);
  await passTimeToResume();
  transfers.fakes.switches.identityUnavailable = true;
  await expect(resumeForgotten(transfers.deps)).rejects.toMatchObject({ code: 'unavailable' });
  transfers.fakes.switches.identityUnavailable = false;
  await resumeForgotten(transfers.deps);
  for (const caller of [given, closed]) transfers.fakes.balances.set(caller.userId, 1_000_000_00n);
  expect(await transfers.order(given)).toMatchObject({ ok: true });
  expect(await transfers.order(closed)).toMatchObject({ ok: false });
});

test('an account that is being closed does not resume early in a process whose clock is ahead', async () => {
  const amina = transfers.merchant(0n);
  await ask('stop', amina);
  // The clock of the process alone.
  transfers.clock.advance(121_000);
  await resumeForgotten(transfers.deps);
  transfers.fakes.balances.set(amina.userId, 1_000_000_00n);
  transfers.clock.advance(-121_000);
  expect(await transfers.order(amina)).toMatchObject({ ok: false, code: 'limit_exceeded' });
});

test('one account whose closing cannot be judged does not keep others stopped; an unknown one resumes', async () => {
  const [silent, unknown, given] = [transfers.merchant(0n), transfers.merchant(0n), transfers.merchant(0n)];
  for (const caller of [silent, unknown, given]) await ask('stop', caller);
  transfers.fakes.unanswered.add(silent.userId);
  transfers.fakes.unknown.add(unknown.userId);
  await passTimeToResume();
  await expect(resumeForgotten(transfers.deps)).rejects.toMatchObject({ code: 'unavailable' });
  const stopped = await transfers.db.selectFrom('closed_accounts').select('user_id').execute();
  const ids = stopped.map(({ user_id: id }) => id);
  expect(ids).toContain(silent.userId);
  expect(ids).not.toContain(unknown.userId);
  expect(ids).not.toContain(given.userId);
  transfers.fakes.unanswered.clear();
  await resumeForgotten(transfers.deps);
});

test('an account is not left stopped when the wallet does not answer', async () => {
  const amina = transfers.merchant(0n);
  transfers.fakes.switches.walletUnavailable = true;
  expect((await ask('stop', amina)).body.code).toBe('unavailable');
  transfers.fakes.switches.walletUnavailable = false;
  transfers.fakes.balances.set(amina.userId, 1_000_000_00n);
  expect(await transfers.order(amina)).toMatchObject({ ok: true });
});

test('an account that is linked while its owner closes is erased or refused', async () => {
  const amina = transfers.merchant();
  expect(await erase(amina.userId)).toEqual({ kind: 'ack' });
  const phone = { accountType: 'mobile_money', accountName: 'Late', phoneNumber: '+254733987655', carrier: 'Airtel' };
  expect((await link(amina, phone)).body.code).toBe('unauthenticated');
});

test('a closed account leaves nothing of its own accounts; withdrawals stay, and a repeat changes nothing', async () => {
  const amina = transfers.merchant();
  const bank = {
    accountType: 'bank',
    accountName: 'Nafula Barasa',
    bankName: 'KCB',
    accountNumber: '1188997755',
    currency: 'KES',
    branchCode: '017',
  };
  const phone = {
    accountType: 'mobile_money',
    accountName: 'Nafula Simu',
    phoneNumber: '+254733987654',
    carrier: 'Airtel Money',
  };
  const linked = await link(amina, bank);
  expect(linked.status).toBe(201);
  const mobile = await link(amina, phone);
  expect([mobile.status, mobile.body]).toMatchObject([201, {}]);
  const order = {
    linkedAccountId: linked.body.id,
    amount: '500',
    currency: 'KES',
    clientTransactionId: `CLIENT-${randomUUID()}`,
  };
  const withdrawn = await transfers.send('POST', '/internal/withdrawals', { caller: amina, payload: order });
  expect(withdrawn.status).toBe(200);
  for (const _ of [1, 2]) expect(await erase(amina.userId)).toEqual({ kind: 'ack' });
  const texts: string[] = [];
  for (const table of [
    'linked_accounts',
    'mobile_money_accounts',
    'bank_accounts',
    'payment_recipients',
    'quotes',
    'first_answers',
  ]) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`.execute(
      transfers.db,
    );
    texts.push(...rows.map(({ text }) => text));
  }
  expect(texts.join('\n')).not.toMatch(/Nafula|1188997755|733987654/);
  const { rows } = await sql<{ text: string }>`select t::text as text from withdrawals t`.execute(transfers.db);
  expect(rows.map(({ text }) => text).join('\n')).toContain('1188997755');
  expect(await transfers.order(amina)).toMatchObject({ ok: false, code: 'limit_exceeded' });
});
