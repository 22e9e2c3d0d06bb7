import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { DAY_MS } from '@vuka/contracts/http/days';
import type { OwnLimits } from '@vuka/contracts/http/limits';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());
beforeEach(async () => {
  transfers.clock.set(new Date('2026-05-10T09:00:00Z'));
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  Object.assign(transfers.fakes.switches, { walletUnavailable: false, identityUnavailable: false });
  await setLimits({});
});

/** Whole units of KES for unverified accounts. */
async function setLimits(
  limits: Partial<Record<'perTransaction' | 'perDay' | 'perMonth' | 'perDayIn' | 'perMonthIn', number>>,
) {
  const given = {
    perTransaction: 1_000,
    perDay: 3_000,
    perMonth: 5_000,
    perDayIn: 100_000,
    perMonthIn: 200_000,
    ...limits,
  };
  await sql`
    insert into limits values ('unverified', 'KES', ${given.perTransaction * 100}, ${given.perDay * 100},
      ${given.perMonth * 100}, ${given.perDayIn * 100}, ${given.perMonthIn * 100}, ${randomUUID()}, now())
    on conflict (tier, currency) do update set per_transaction = excluded.per_transaction,
      per_day = excluded.per_day, per_month = excluded.per_month,
      per_day_in = excluded.per_day_in, per_month_in = excluded.per_month_in`.execute(transfers.db);
  transfers.deps.limits.forget();
}

const REFUSED = { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' as const };
const merchant = (balanceMinor = 1_000_000_00n): Caller => transfers.merchant(balanceMinor);
/** At 23.03 TZS a shilling, in whole units. */
const amounts = (kes: number) => ({ sourceAmount: String(kes), targetAmount: String(Math.round(kes * 23.03)) });
const send = (caller: Caller, kes: number, more: object = {}) => transfers.order(caller, { ...amounts(kes), ...more });
const own = async (caller: Caller): Promise<OwnLimits['limits'][number] | undefined> =>
  (await transfers.send('GET', '/internal/limits', { caller })).body.limits.find(
    ({ currency }: { currency: string }) => currency === 'KES',
  );
const usedToday = async (caller: Caller) => (await own(caller))?.day.used;

describe('an order', () => {
  test('of exactly the limit per transaction is accepted, and one above it is refused', async () => {
    const caller = merchant();
    expect(await send(caller, 1_000)).toMatchObject({ ok: true, created: true });
    expect(await send(caller, 1_000.01)).toMatchObject({
      ok: false,
      code: 'limit_exceeded',
      reason: 'limit_per_transaction',
      message: 'This is above your limit of 1,000.00 KES per transaction.',
    });
    expect(await usedToday(caller)).toBe('1000.00');
  });

  test('may use up what is left of the day, and one more is refused with what is left', async () => {
    const caller = merchant();
    for (const kes of [1_000, 1_000, 600]) expect(await send(caller, kes)).toMatchObject({ ok: true });
    expect(await send(caller, 401)).toMatchObject({
      code: 'limit_exceeded',
      reason: 'limit_per_day',
      params: { left: '400.00', currency: 'KES' },
    });
    expect(await send(caller, 400)).toMatchObject({ ok: true });
    expect(await own(caller)).toMatchObject({
      day: { limit: '3000.00', used: '3000.00', left: '0.00', endsAt: '2026-05-10T21:00:00.000Z' },
      month: { used: '3000.00', left: '2000.00', endsAt: '2026-05-31T21:00:00.000Z' },
    });
  });

  test('counts from midnight in East Africa for the new day, and on for the month', async () => {
    const caller = merchant();
    transfers.clock.set(new Date('2026-05-10T20:59:59Z'));
    for (const kes of [1_000, 1_000, 1_000]) await send(caller, kes);
    expect(await send(caller, 1)).toMatchObject({ reason: 'limit_per_day' });
    transfers.clock.set(new Date('2026-05-10T21:00:00Z'));
    expect(await send(caller, 1_000)).toMatchObject({ ok: true });
    expect(await send(caller, 1_000)).toMatchObject({ ok: true });
    expect(await send(caller, 1)).toMatchObject({ reason: 'limit_per_month', params: { left: '0.00' } });
    transfers.clock.set(new Date('2026-05-31T21:00:00Z'));
    expect(await send(caller, 1)).toMatchObject({ ok: true });
    expect(await own(caller)).toMatchObject({ day: { used: '1.00' }, month: { used: '1.00' } });
  });

  test('under a clock that is a month ahead counts for today, and so does what follows', async () => {
    const caller = merchant();
    transfers.skew.ms = 31 * DAY_MS;
    transfers.clock.advance(transfers.skew.ms);
    expect(await send(caller, 1_000)).toMatchObject({ ok: true });
    transfers.clock.advance(-transfers.skew.ms);
    transfers.skew.ms = 0;
    expect(await own(caller)).toMatchObject({ day: { used: '1000.00' }, month: { used: '1000.00' } });
    transfers.clock.advance(DAY_MS);
    for (const kes of [1_000, 1_000, 1_000]) expect(await send(caller, kes)).toMatchObject({ ok: true });
    expect(await own(caller)).toMatchObject({ day: { used: '3000.00' }, month: { used: '4000.00' } });
  });

  test('is refused for insufficient funds where the money would not suffice either', async () => {
    const caller = merchant(500_00n);
    expect(await send(caller, 2_000)).toMatchObject({ code: 'insufficient_funds' });
    transfers.fakes.switches.walletUnavailable = true;
    expect(await send(caller, 2_000)).toMatchObject({ code: 'limit_exceeded' });
  });

  test('that is repeated counts once, and is answered as before when nothing is left', async () => {
    const caller = merchant();
    await setLimits({ perDay: 1_000 });
    const order = { clientTransactionId: `CLIENT-${randomUUID()}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(caller, 1_000, order)));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(await usedToday(caller)).toBe('1000.00');
    expect(await send(caller, 1_000, order)).toMatchObject({ ok: true, created: false });
    expect(await send(caller, 1)).toMatchObject({ reason: 'limit_per_day' });
  });

  test('cannot pass the limit in a race: of fifty, exactly those that fit are accepted', async () => {
    const caller = merchant();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(caller, 90)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(33);
    expect(answers.filter(({ code }) => code === 'limit_exceeded')).toHaveLength(17);
    expect(await usedToday(caller)).toBe('2970.00');
  });

  test('that is too large takes no smaller one of the same batch with it', async () => {
    const caller = merchant();
    const others = [merchant(), merchant()];
    await setLimits({ perTransaction: 3_000 });
    await send(caller, 2_000);
    const answers = await Promise.all([
      send(caller, 1_001),
      send(caller, 999),
      ...others.map((other) => send(other, 3_000)),
    ]);
    expect(answers.map(({ ok }) => ok)).toEqual([false, true, true, true]);
  });

  test('is judged again after an order of another process that was counted meanwhile', async () => {
    const caller = merchant();
    const other = merchant();
    await send(caller, 1_000);
    const client = await transfers.pool.connect();
    await client.query('begin');
    await client.query('update limit_usage set day_amount = day_amount + 150000 where user_id = $1', [caller.userId]);
    const [late, bystander] = [send(caller, 600), send(other, 600)];
    await until(async () => {
      const { rows } = await client.query("select from pg_stat_activity where wait_event_type = 'Lock'");
      return rows.length > 0;
    });
    await client.query('commit');
    client.release();
    expect(await late).toMatchObject({ reason: 'limit_per_day', params: { left: '500.00' } });
    expect(await bystander).toMatchObject({ ok: true });
    await sql`update limit_usage set day_amount = day_amount - 150000 where user_id = ${caller.userId}`.execute(
      transfers.db,
    );
  });

  test('of a higher tier has the limits of that tier', async () => {
    const caller: Caller = { ...merchant(), tier: 'verified' };
    expect(await send(caller, 200_000)).toMatchObject({ ok: true });
    expect(await send({ ...caller, tier: 'unverified' }, 1)).toMatchObject({ reason: 'limit_per_month' });
    expect(await send({ ...caller, tier: 'business' }, 400_000)).toMatchObject({ ok: true });
  });
});

describe('a transfer that fails', () => {
  test('gives its amount back, once', async () => {
    const caller = merchant();
    await send(caller, 1_000);
    transfers.script.submit = { kind: 'rejected', failure: REFUSED };
    const { transaction } = await send(caller, 1_000);
    expect(await usedToday(caller)).toBe('2000.00');
    await transfers.execute(transaction.id);
    expect((await transfers.transfer(transaction.id)).status).toBe('FAILED');
    expect(await usedToday(caller)).toBe('1000.00');
    await transfers.execute(transaction.id);
    expect(await own(caller)).toMatchObject({ day: { used: '1000.00' }, month: { used: '1000.00' } });
  });

  test('gives nothing back to a day after its own', async () => {
    const caller = merchant();
    const { transaction } = await send(caller, 1_000);
    transfers.clock.set(new Date('2026-05-11T09:00:00Z'));
    await send(caller, 500);
    transfers.script.submit = { kind: 'rejected', failure: REFUSED };
    await transfers.execute(transaction.id);
    expect((await transfers.transfer(transaction.id)).status).toBe('FAILED');
    expect(await own(caller)).toMatchObject({ day: { used: '500.00' }, month: { used: '500.00' } });
  });

  test('for insufficient funds does not count', async () => {
    const caller = merchant(100_00n);
    expect(await send(caller, 200)).toMatchObject({ code: 'insufficient_funds' });
    expect(await usedToday(caller)).toBe('0.00');
  });
});

test('withdrawals count together with transfers', async () => {
  const caller = { ...merchant(), name: 'Amina Otieno' };
  const account = {
    accountType: 'mobile_money',
    accountName: 'Amina',
    phoneNumber: '+254712345678',
    carrier: 'M-PESA',
  };
  const { body } = await transfers.send('POST', '/internal/linked-accounts', { payload: account, caller });
  const withdraw = (amount: string) =>
    transfers.send('POST', '/internal/withdrawals', {
      payload: { amount, currency: 'KES', linkedAccountId: body.id, clientTransactionId: `W-${randomUUID()}` },
      caller,
    });
  await send(caller, 1_000);
  expect((await withdraw('1000')).status).toBe(200);
  expect((await withdraw('1001')).body).toMatchObject({ code: 'limit_exceeded', reason: 'limit_per_transaction' });
  expect((await withdraw('1000')).status).toBe(200);
  expect((await withdraw('1')).body).toMatchObject({ code: 'limit_exceeded', reason: 'limit_per_day' });
  expect(await send(caller, 1)).toMatchObject({ reason: 'limit_per_day' });
});

describe('a payment to a merchant here', () => {
  const phone = '+255763456799';
  const unsetTier = () => transfers.fakes.merchants.delete(phone);

  test('counts against what the recipient may receive, and fails above it with the money given back', async () => {
    const [caller, recipient] = [merchant(), merchant(0n)];
    transfers.fakes.merchants.set(phone, { userId: recipient.userId, name: 'Zawadi', tier: 'verified' });
    await sql`
      insert into limits values ('verified', 'TZS', 1000000, 2000000, 3000000, 2500000, 2500000, ${randomUUID()}, now())
    `.execute(transfers.db);
    transfers.deps.limits.forget();
    const first = await send(caller, 1_000, { recipientPhone: phone });
    await transfers.execute(first.transaction.id);
    expect((await transfers.transfer(first.transaction.id)).status).toBe('SETTLED');
    const second = await send(caller, 100, { recipientPhone: phone });
    await transfers.execute(second.transaction.id);
    expect(await transfers.transfer(second.transaction.id)).toMatchObject({
      status: 'FAILED',
      error_code: 'recipient_limit',
      error_message: 'The recipient cannot receive this amount at the moment. Your money is back in your wallet.',
    });
    expect(transfers.fakes.appliedFor(second.transaction.id)).toEqual(['hold', 'release']);
    expect(await usedToday(caller)).toBe('1000.00');
    const { limits } = (await transfers.send('GET', '/internal/limits', { caller: { ...recipient, tier: 'verified' } }))
      .body;
    expect(limits).toContainEqual(
      expect.objectContaining({
        currency: 'TZS',
        dayIn: expect.objectContaining({ used: '23030.00', left: '1970.00' }),
      }),
    );
    unsetTier();
  });

  test('under a clock that is a month ahead counts for today', async () => {
    const [caller, recipient] = [merchant(), merchant(0n)];
    transfers.fakes.merchants.set(phone, { userId: recipient.userId, name: 'Zawadi', tier: 'unverified' });
    const { transaction } = await send(caller, 100, { recipientPhone: phone });
    transfers.skew.ms = 31 * DAY_MS;
    transfers.clock.advance(transfers.skew.ms);
    await transfers.execute(transaction.id);
    transfers.clock.advance(-transfers.skew.ms);
    transfers.skew.ms = 0;
    expect((await transfers.transfer(transaction.id)).status).toBe('SETTLED');
    const rows = await transfers.db
      .selectFrom('limit_usage')
      .select([sql<string>`day::text`.as('day'), sql<string>`month::text`.as('month'), 'day_amount'])
      .where('user_id', '=', recipient.userId)
      .execute();
    expect(rows).toEqual([{ day: '2026-05-10', month: '2026-05-01', day_amount: 2_303_00n }]);
    unsetTier();
  });
});

test('what is counted of today is the sum of the transfers of today that have not failed', async () => {
  const { rows } = await sql<{ user_id: string }>`
    select used.user_id from limit_usage used
    where side = 'out' and day_amount <> coalesce((
      select sum(source_amount) from transactions t
      where t.user_id = used.user_id and t.source_currency = used.currency and t.status not in ('FAILED', 'CANCELLED')
        and (t.created_at at time zone 'UTC' + interval '3 hours')::date = used.day
        and t.transaction_type in ('transfer', 'withdrawal')), 0)`.execute(transfers.db);
  expect(rows).toEqual([]);
});

describe('an administrator', () => {
  const administrator = (changes: Partial<Caller> = {}): Caller => ({
    ...transfers.merchant(0n),
    isAdmin: true,
    role: 'owner' as const,
    adminId: `ADM-${randomUUID()}`,
    pinVerified: false,
    pinRecent: true,
    ...changes,
  });
  const asked = {
    tier: 'business',
    currency: 'KES',
    perTransaction: '1000000',
    perDay: '5000000',
    perMonth: '100000000',
  };
  const incoming = { perDayIn: '10000000', perMonthIn: '200000000' };
  const change = (caller: Caller, changes: object) =>
    transfers.send('POST', '/internal/tier-limits', { payload: { ...asked, ...incoming, ...changes }, caller });
  const decide = (caller: Caller, id: string) =>
    transfers.send('POST', '/internal/tier-limit-proposals/decide', {
      payload: { id, decision: { kind: 'approve' } },
      caller,
    });
  const perDay = async () => {
    const { body } = await transfers.send('GET', '/internal/tier-limits', { caller: administrator() });
    return body.limits.find(
      ({ tier, currency }: { tier: string; currency: string }) => tier === 'business' && currency === 'KES',
    ).perDay;
  };

  test('lowers a limit at once, and raises one only with another administrator', async () => {
    const [proposer, approver] = [administrator(), administrator({ pinVerified: true })];
    expect((await change(proposer, { perDay: '4000000' })).body.proposal).toBeUndefined();
    expect(await perDay()).toBe('4000000');
    const { proposal } = (await change(proposer, { perDay: '6000000' })).body;
    expect(proposal).toMatchObject({
      status: 'awaiting_approval',
      before: { perDay: '4000000' },
      after: { perDay: '6000000' },
    });
    expect(await perDay()).toBe('4000000');
    expect((await decide({ ...proposer, pinVerified: true }, proposal.id)).body.code).toBe('forbidden');
    expect((await decide(approver, proposal.id)).body.proposal.status).toBe('approved');
    expect(await perDay()).toBe('6000000');
    const actions = (await transfers.messagesInOutbox()).flatMap(
      ({ envelope }) => (envelope.data as { action?: string }).action ?? [],
    );
    expect(actions.filter((action) => action.startsWith('limits.'))).toEqual([
      'limits.lowered',
      'limits.proposed',
      'limits.approved',
    ]);
  });

  test('does not approve what was proposed by one who was blocked since', async () => {
    const [proposer, approver] = [administrator(), administrator({ pinVerified: true })];
    const before = await perDay();
    const { proposal } = (await change(proposer, { perDay: '90000000' })).body;
    transfers.fakes.formerAdministrators.add(proposer.userId);
    expect((await decide(approver, proposal.id)).body.reason).toBe('requester_lost_right');
    expect(await perDay()).toBe(before);
  });

  test('who is the only one raises a limit with the PIN', async () => {
    const alone = administrator({ isOnlyAdmin: true });
    expect((await change(alone, { perDay: '7000000' })).body.code).toBe('pin_required');
    expect((await change({ ...alone, pinVerified: true }, { perDay: '7000000' })).status).toBe(200);
    expect(await perDay()).toBe('7000000');
  });

  test('replaces only the limits that were shown, unless those wanted are in force already', async () => {
    const shown = { ...asked, ...incoming, perDay: await perDay() };
    expect((await change(administrator(), { ...shown, perTransaction: '900000' })).status).toBe(200);
    const stale = { ...shown, perDay: '3000000', replaces: shown };
    expect((await change(administrator(), stale)).body.code).toBe('changed_meanwhile');
    expect(await perDay()).toBe(shown.perDay);
    const { proposal } = (await change(administrator(), { ...shown, perDay: '90000000' })).body;
    const repeat = { ...shown, perTransaction: '900000.00', replaces: shown };
    expect((await change(administrator(), repeat)).status).toBe(200);
    const { body: open } = await transfers.send('GET', '/internal/tier-limit-proposals?status=awaiting_approval', {
      caller: administrator(),
    });
    expect(open.proposals.map(({ id }: { id: string }) => id)).toContain(proposal.id);
    const next = { ...shown, perTransaction: '900000', perDay: '3000000' };
    const fresh = { ...next, replaces: { ...shown, perTransaction: '900000' } };
    expect((await change(administrator(), fresh)).status).toBe(200);
    expect(await perDay()).toBe('3000000');
  });

  test('withdraws a proposal by saving the limits that are in force', async () => {
    const shown = { ...asked, ...incoming, perTransaction: '800000', perDay: '3000000' };
    expect((await change(administrator(), shown)).status).toBe(200);
    const proposer = administrator();
    const { proposal } = (await change(proposer, { ...shown, perDay: '90000000', replaces: shown })).body;
    expect(proposal.status).toBe('awaiting_approval');
    expect((await change(proposer, { ...shown, replaces: shown })).status).toBe(200);
    const { body } = await decide(administrator({ pinVerified: true }), proposal.id);
    expect(body).toMatchObject({ code: 'already_decided', error: 'This proposal was replaced by a newer change.' });
    expect(await perDay()).toBe('3000000');
  });

  test('needs a recent PIN, and cannot set a limit lower than that of a shorter time', async () => {
    expect((await change(administrator({ pinRecent: false }), {})).body.code).toBe('step_up_required');
    expect((await change(merchant(), {})).body.code).toBe('forbidden');
    const { body } = await change(administrator(), { perDay: '999999' });
    expect(body).toMatchObject({ code: 'validation_failed', reason: 'limit_order' });
  });
});
