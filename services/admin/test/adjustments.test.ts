import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { firstIdAt } from '@vuka/service-kit/ids';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bookOpenAdjustments } from '#adjustments/book-adjustment.ts';
import { type AdminService, createAdminService } from './harness.ts';

let service: AdminService;
let neighbours: AdminService['neighbours'];
beforeAll(async () => {
  service = await createAdminService();
  neighbours = service.neighbours;
});
afterAll(() => service.stop());
beforeEach(async () => {
  Object.assign(neighbours.switches, { ledgerAway: false, answersLost: 0 });
  await service.db.deleteFrom('outbox').execute();
});

const LOSS = { kind: 'loss', amount: '23030.50', currency: 'TZS', reason: 'Paid twice, not returned: ticket 12' };
const administrator = () => service.administrator();
const request = (maker: Caller, order: object = {}) =>
  service.send('POST', '/internal/adjustments', maker, { ...LOSS, ...order });
async function waiting(order: object = {}) {
  const maker = administrator();
  const { body } = await request(maker, order);
  return { id: body.adjustment.id as string, maker };
}
const decide = (id: string, decision: object, checker: Caller = administrator()) =>
  service.send('POST', '/internal/adjustments/decide', checker, { id, decision });
const approve = { kind: 'approve' };
const refuse = { kind: 'refuse', reason: 'the provider will return it' };
const booked = (id: string) => neighbours.adjustments.filter((order) => order.id === id);
const list = async (status: string, reader = administrator()) =>
  (await service.send('GET', `/internal/adjustments?status=${status}&limit=200`, reader)).body.adjustments;

describe('an adjustment', () => {
  test.each([
    ['float_top_up', 'payout-clearing', 'funding'],
    ['provider_fee', 'provider-fees', 'payout-clearing'],
    ['loss', 'losses', 'payout-clearing'],
  ])('of kind %s moves money from %s to %s once another administrator has approved it', async (kind, from, to) => {
    const maker = administrator();
    const { status, body } = await request(maker, { kind });
    expect(status).toBe(201);
    expect(body.adjustment).toMatchObject({
      status: 'awaiting_approval',
      kind,
      from,
      to,
      journalId: null,
      isOwn: true,
    });
    expect(booked(body.adjustment.id)).toEqual([]);
    const decided = await decide(body.adjustment.id, approve);
    expect(decided.body.adjustment).toMatchObject({ status: 'approved', journalId: expect.any(String), isOwn: false });
    expect(booked(body.adjustment.id)).toEqual([
      { id: body.adjustment.id, currency: 'TZS', amount: '23030.50', from, to },
    ]);
  });

  test('of kind correction moves money between the accounts that it names', async () => {
    const { id } = await waiting({ kind: 'correction', from: 'fees', to: 'losses' });
    await decide(id, approve);
    expect(booked(id)).toMatchObject([{ from: 'fees', to: 'losses' }]);
  });

  test('ignores accounts that do not belong to its kind', async () => {
    const { id } = await waiting({ from: 'fees', to: 'funding' });
    await decide(id, approve);
    expect(booked(id)).toMatchObject([{ from: 'losses', to: 'payout-clearing' }]);
  });

  test('is not approved by its requester, and then moves nothing', async () => {
    const { id, maker } = await waiting();
    const { status, body } = await decide(id, approve, maker);
    expect([status, body.error]).toEqual([403, 'You requested this adjustment. Another administrator must decide.']);
    expect(booked(id)).toEqual([]);
  });

  test.each([null, 'support'] as const)(
    'is not approved once its requester is blocked or has another role (%s), and can then be refused',
    async (role) => {
      const { id, maker } = await waiting();
      service.rolesNow.set(maker.userId, role);
      const { status, body } = await decide(id, approve);
      expect([status, body.reason]).toEqual([403, 'requester_lost_right']);
      expect(booked(id)).toEqual([]);
      expect((await decide(id, refuse)).body.adjustment.status).toBe('refused');
    },
  );

  test('that was refused stays refused, with its reason', async () => {
    const { id } = await waiting();
    expect((await decide(id, refuse)).body.adjustment).toMatchObject({
      status: 'refused',
      refusalReason: 'the provider will return it',
    });
    expect((await decide(id, approve)).status).toBe(409);
    expect(booked(id)).toEqual([]);
  });

  test('approved and refused at once by two administrators has one outcome', async () => {
    const { id } = await waiting();
    const answers = await Promise.all([decide(id, approve), decide(id, refuse)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { status } = await service.db
      .selectFrom('adjustments')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(booked(id)).toHaveLength(status === 'approved' ? 1 : 0);
  });

  test('that is approved while the ledger is unavailable is kept, and booked once when it is back', async () => {
    neighbours.switches.ledgerAway = true;
    const { id } = await waiting();
    const checker = administrator();
    expect((await decide(id, approve, checker)).status).toBe(503);
    neighbours.switches.ledgerAway = false;
    service.clock.advance(11_000);
    await bookOpenAdjustments(service.deps);
    await bookOpenAdjustments(service.deps);
    expect(booked(id)).toHaveLength(1);
    expect((await list('approved')).find((row: { id: string }) => row.id === id).journalId).toBe(
      neighbours.journals.get(id),
    );
  });

  test('that the ledger keeps refusing holds back no other, however many there are', async () => {
    const { id } = await waiting();
    neighbours.unbookable.add(id);
    await decide(id, approve);
    neighbours.unbookable.delete(id);
    const { id: _, ...open } = await service.db
      .selectFrom('adjustments')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const refused = Array.from({ length: 60 }, () => firstIdAt(new Date(0)).slice(0, 24) + randomUUID().slice(24));
    const rows = refused.map((earlier) => ({
      ...open,
      id: earlier,
      reference: earlier,
      idempotency_key: earlier,
      decided_at: new Date(0),
    }));
    await service.db.insertInto('adjustments').values(rows).execute();
    for (const earlier of refused) neighbours.unbookable.add(earlier);
    service.clock.advance(11_000);
    await expect(bookOpenAdjustments(service.deps)).rejects.toThrow();
    expect(booked(id)).toHaveLength(1);
    await service.db.deleteFrom('adjustments').where('id', 'in', refused).execute();
  });

  test('whose answer was lost is one journal', async () => {
    neighbours.switches.answersLost = 1;
    const { id } = await waiting();
    const { body } = await decide(id, approve);
    expect(body.adjustment.journalId).toBe(neighbours.journals.get(id));
    expect(booked(id)).toHaveLength(2); // the same id twice, which the ledger books once
  });

  test('sent again with its key is the same adjustment, and with other content is refused', async () => {
    const maker = administrator();
    const key = randomUUID();
    const first = await request(maker, { key });
    const again = await Promise.all([request(maker, { key }), request(maker, { key })]);
    expect(again.map(({ body }) => body.adjustment.id)).toEqual(Array(2).fill(first.body.adjustment.id));
    const { status, body } = await request(maker, { key, amount: '1' });
    expect([status, body.reason]).toEqual([409, 'adjustment_key_reused']);
  });

  test('of the only administrator is booked at once, and raises an alert', async () => {
    const { body } = await request({ ...administrator(), isOnlyAdmin: true });
    expect(body.adjustment).toMatchObject({ status: 'approved', journalId: expect.any(String) });
    expect((await service.actions()).map(({ action }) => action)).toEqual(['adjustment.made-alone']);
  });

  test.each([
    ['without the PIN', { pinVerified: false }, 401],
    ['by support', { role: 'support' as const }, 403],
    ['by an auditor', { role: 'auditor' as const }, 403],
  ])('is not requested %s', async (_, change, status) => {
    const entered = await service.db.selectFrom('adjustments').select('id').execute();
    expect((await request({ ...administrator(), ...change })).status).toBe(status);
    expect(await service.db.selectFrom('adjustments').select('id').execute()).toHaveLength(entered.length);
  });

  test('leaves its request and its decision on the audit trail', async () => {
    const { id, maker } = await waiting();
    const checker = administrator();
    await decide(id, approve, checker);
    expect(await service.actions()).toMatchObject([
      { action: 'adjustment.requested', actor: { userId: maker.userId }, subject: { kind: 'adjustment', id } },
      {
        action: 'adjustment.approved',
        actor: { userId: checker.userId },
        reason: LOSS.reason,
        after: { kind: 'loss', amount: '23030.50', currency: 'TZS', from: 'losses', to: 'payout-clearing' },
      },
    ]);
  });
});

test('waiting adjustments are listed oldest first, page by page', async () => {
  await service.db.deleteFrom('adjustments').execute();
  const made = [await waiting(), await waiting(), await waiting()].map(({ id }) => id);
  const page = async (cursor: string | null) =>
    (await service.send('GET', `/internal/adjustments?limit=2${cursor ? `&cursor=${cursor}` : ''}`, administrator()))
      .body;
  const first = await page(null);
  const second = await page(first.nextCursor);
  const ids = [...first.adjustments, ...second.adjustments].map(({ id }: { id: string }) => id);
  expect(ids).toEqual(made);
  expect(second.nextCursor).toBeNull();
});
