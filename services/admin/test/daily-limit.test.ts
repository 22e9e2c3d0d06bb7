import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AdminService, createAdminService } from './harness.ts';

const DAY_MS = 24 * 3_600_000;
const MERCHANT = 'ABCD1234EFGH';
const approve = { kind: 'approve' };

let service: AdminService;
beforeAll(async () => {
  service = await createAdminService();
  service.neighbours.holders.set(MERCHANT, { userId: randomUUID(), fullName: 'Amina Otieno' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  Object.assign(service.neighbours.switches, { ledgerShut: false, ledgerAway: false, answersLost: 0 });
  await service.db.deleteFrom('outbox').execute();
});

const credit = (caller: Caller, amount: number, order: object = {}) =>
  service.send('POST', '/internal/credits', caller, { merchantId: MERCHANT, amount, currency: 'KES', ...order });
const deposit = (caller: Caller, amount: number, order: object = {}) =>
  service.send('POST', '/internal/deposits', caller, { amount, currency: 'KES', reason: 'float', ...order });
const decide = (id: string, decision: object, checker = service.administrator()) =>
  service.send('POST', '/internal/large-credits/decide', checker, { id, decision });
const ordersFor = (id: string) => service.neighbours.orders.filter(({ key }) => key === id);
const rowsOf = ({ userId }: Caller) =>
  service.db.selectFrom('admin_deposits').selectAll().where('admin_user_id', '=', userId).orderBy('id').execute();
const lastAction = async () => (await service.actions()).at(-1);

describe('what one administrator moves in 24 hours', () => {
  test('moves at once while credits and deposits together are within the limit, and waits above it', async () => {
    const maker = service.administrator();
    expect((await credit(maker, 6_000_000)).body.kind).toBe('credited');
    expect((await deposit(maker, 4_000_000)).body.transactionId).toEqual(expect.any(String));
    expect((await credit(maker, 1)).body).toMatchObject({ kind: 'waiting', credit: { amount: '1.00' } });
    expect((await deposit(maker, 1)).body).toMatchObject({ credit: { kind: 'deposit', amount: '1.00' } });
    expect((await rowsOf(maker)).map(({ approval }) => approval)).toEqual([
      'not_needed',
      'not_needed',
      'awaiting_approval',
      'awaiting_approval',
    ]);
  });

  test('is summed for each currency and for each administrator', async () => {
    const maker = service.administrator();
    await credit(maker, 10_000_000);
    expect((await credit(maker, 200_000_000, { currency: 'TZS' })).body.kind).toBe('credited');
    expect((await deposit(maker, 75_000, { currency: 'USD' })).body.credit).toBeUndefined();
    expect((await deposit(maker, 1, { currency: 'USD' })).body.credit).toMatchObject({ currency: 'USD' });
    expect((await credit(service.administrator(), 10_000_000)).body.kind).toBe('credited');
  });

  test('counts for 24 hours', async () => {
    const maker = service.administrator();
    await credit(maker, 10_000_000);
    service.clock.advance(DAY_MS - 1);
    expect((await credit(maker, 10_000_000)).body.kind).toBe('waiting');
    service.clock.advance(1);
    expect((await credit(maker, 10_000_000)).body.kind).toBe('credited');
  });

  test('does not count approved or refused movements', async () => {
    const maker = service.administrator();
    const large = (await credit(maker, 50_000_000)).body.credit;
    await decide(large.id, approve);
    const refused = (await credit(maker, 50_000_000)).body.credit;
    await decide(refused.id, { kind: 'refuse', reason: 'twice' });
    expect((await credit(maker, 10_000_000)).body.kind).toBe('credited');
  });

  test('never exceeds the limit, however many concurrent credits there are', async () => {
    const maker = service.administrator();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? credit(maker, 1_000_000) : deposit(maker, 1_000_000))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const rows = await rowsOf(maker);
    expect(rows.filter(({ approval }) => approval === 'not_needed')).toHaveLength(10);
    expect(rows.filter(({ approval }) => approval === 'awaiting_approval')).toHaveLength(10);
    const moved = rows.filter(({ id }) => ordersFor(id).length > 0);
    expect(moved).toHaveLength(10);
  });

  test('a repeated key gets the original result, and counts once', async () => {
    const maker = service.administrator();
    const key = randomUUID();
    const first = await credit(maker, 10_000_000, { key });
    expect((await credit(maker, 10_000_000, { key })).body).toEqual(first.body);
    expect(first.body.kind).toBe('credited');
    const waitingKey = randomUUID();
    const waiting = await deposit(maker, 5, { key: waitingKey });
    expect((await deposit(maker, 5, { key: waitingKey })).body).toEqual(waiting.body);
    expect((await deposit(maker, 6, { key: waitingKey })).body.code).toBe('idempotency_conflict');
    expect(await rowsOf(maker)).toHaveLength(2);
  });

  test('concurrent orders under one key are one movement', async () => {
    const maker = service.administrator();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => credit(maker, 6_000_000, { key })));
    expect(new Set(answers.map(({ body }) => body.credit.transactionId)).size).toBe(1);
    expect(await rowsOf(maker)).toHaveLength(1);
  });

  test('can be requested while the ledger is unavailable if it needs approval; nothing else is entered', async () => {
    const maker = service.administrator();
    service.neighbours.switches.ledgerShut = true;
    expect((await deposit(maker, 10_000_000)).status).toBe(503);
    expect((await deposit(maker, 10_000_001)).body.credit.status).toBe('awaiting_approval');
    expect(await rowsOf(maker)).toHaveLength(1);
  });
});

describe('a deposit above the limit', () => {
  test('moves once another administrator has approved it, and is listed from then on', async () => {
    const maker = service.administrator();
    const { body } = await deposit(maker, 10_000_001);
    const { id } = body.credit;
    expect(body.credit).toMatchObject({
      kind: 'deposit',
      status: 'awaiting_approval',
      merchantId: maker.adminId,
      reason: 'float',
      transactionId: null,
      isOwn: true,
    });
    expect(ordersFor(id)).toEqual([]);
    expect(await lastAction()).toMatchObject({ action: 'deposit.requested', subject: { id } });
    const listed = async () =>
      (await service.send('GET', '/internal/deposits', maker)).body.deposits.map((item: { id: string }) => item.id);
    const counted = async () => (await service.send('GET', '/internal/deposits/recent-count', maker)).body.count;
    const before = await counted();
    expect(await listed()).not.toContain(id);
    expect((await decide(id, approve, maker)).body).toMatchObject({
      code: 'forbidden',
      error: 'You requested this deposit. Another administrator must decide.',
    });
    expect((await decide(id, approve)).body.credit.transactionId).toBe(service.neighbours.movements.get(id));
    expect(await lastAction()).toMatchObject({ action: 'deposit.approved' });
    expect(ordersFor(id)).toHaveLength(1);
    expect(await listed()).toContain(id);
    expect(await counted()).toBe(before + 1);
  });

  test('that is refused never moves and is not listed', async () => {
    const maker = service.administrator();
    const { id } = (await deposit(maker, 10_000_001)).body.credit;
    await decide(id, { kind: 'refuse', reason: 'no such float' });
    expect(await lastAction()).toMatchObject({ action: 'deposit.refused', reason: 'no such float' });
    expect((await decide(id, approve)).body.error).toBe('This deposit has been decided already.');
    const { deposits } = (await service.send('GET', '/internal/deposits', maker)).body;
    expect(deposits.map((item: { id: string }) => item.id)).not.toContain(id);
    expect(ordersFor(id)).toEqual([]);
  });
});

describe('the only administrator', () => {
  const alone = (): Caller => ({ ...service.administrator(), isOnlyAdmin: true });

  test('credits above the limit with the PIN in the call, which the audit trail marks', async () => {
    const lone = alone();
    expect((await credit({ ...lone, pinVerified: false }, 10_000_001)).body.code).toBe('pin_required');
    expect(await rowsOf(lone)).toEqual([]);
    expect((await credit(lone, 10_000_001)).body.kind).toBe('credited');
    expect(await lastAction()).toMatchObject({ action: 'merchant.credited-alone' });
  });

  test('deposits above the limit at once, which the audit trail marks', async () => {
    const lone = alone();
    expect((await deposit(lone, 10_000_001)).body.transactionId).toEqual(expect.any(String));
    expect(await lastAction()).toMatchObject({ action: 'deposit.made-alone' });
  });

  test('is treated like any other below the limit', async () => {
    expect((await credit({ ...alone(), pinVerified: false }, 5)).body.kind).toBe('credited');
    expect(await lastAction()).toMatchObject({ action: 'merchant.credited' });
  });

  test('has their movements counted once there is a second administrator', async () => {
    const lone = alone();
    await credit(lone, 10_000_001);
    expect((await credit({ ...lone, isOnlyAdmin: false }, 1)).body.kind).toBe('waiting');
  });
});

test('a credit needs a recent PIN', async () => {
  const stale = { ...service.administrator(), pinRecent: false, pinVerified: false };
  expect((await credit(stale, 1)).body.code).toBe('step_up_required');
});
