import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { finishOpenDeposits } from '#register/register-deposit.ts';
import { type AdminService, createAdminService } from './harness.ts';

let service: AdminService;
let neighbours: AdminService['neighbours'];
beforeAll(async () => {
  service = await createAdminService();
  neighbours = service.neighbours;
});
afterAll(() => service.stop());
beforeEach(async () => {
  Object.assign(neighbours.switches, { ledgerShut: false, ledgerAway: false, answersLost: 0 });
  await service.db.deleteFrom('outbox').execute();
});

const administrator = () => service.administrator();
const send: AdminService['send'] = (...asked) => service.send(...asked);
const actions = () => service.actions();

const MERCHANT = 'ABCD1234EFGH';
/** One unit above the default limit. */
const LARGE = 10_000_001;
const credit = (maker: Caller, order: object = {}) => {
  neighbours.holders.set(MERCHANT, { userId: '0190a000-0000-7000-8000-0000000000aa', fullName: 'Amina Otieno' });
  return send('POST', '/internal/credits', maker, { merchantId: MERCHANT, amount: LARGE, currency: 'KES', ...order });
};
async function waiting(order: object = {}): Promise<{ id: string; maker: Caller }> {
  const maker = administrator();
  const { body } = await credit(maker, order);
  return { id: body.credit.id, maker };
}
const decide = (id: string, decision: object, checker: Caller | null = administrator()) =>
  send('POST', '/internal/large-credits/decide', checker, { id, decision });
const approve = { kind: 'approve' };
const refuse = { kind: 'refuse', reason: 'unknown merchant' };
const list = async (query = '', reader = administrator()) =>
  (await send('GET', `/internal/large-credits${query}`, reader)).body;
const ordersFor = (id: string) => neighbours.orders.filter(({ key }) => key === id);
const row = (id: string) =>
  service.db.selectFrom('admin_deposits').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const finish = () => {
  service.clock.advance(11_000);
  return finishOpenDeposits(service.deps);
};

const recent = async () => (await send('GET', '/internal/credits/recent', administrator())).body.credits;

test('the latest credits are those that moved or may move, newest first', async () => {
  const maker = administrator();
  await credit(maker, { amount: 700 });
  const { id } = await waiting();
  const refused = await waiting();
  await decide(refused.id, refuse);
  expect((await recent())[0]).toMatchObject({
    amount: '700.00',
    currency: 'KES',
    merchantId: MERCHANT,
    merchantName: 'Amina Otieno',
    madeBy: maker.name,
    transactionId: expect.any(String),
  });
  await decide(id, approve);
  await credit(maker, { amount: 800 });
  const amounts = (await recent()).map(({ amount }: { amount: string }) => amount);
  expect(amounts.slice(0, 3)).toEqual(['800.00', '10000001.00', '700.00']);
  expect(amounts.length).toBeLessThanOrEqual(8);
});

describe('a credit at or below the limit', () => {
  test('to an account that is being closed keeps back no other, however many there are', async () => {
    const maker = administrator();
    const other = 'WXYZ9876STUV';
    neighbours.holders.set(other, { userId: '0190a000-0000-7000-8000-0000000000bb', fullName: 'Juma' });
    neighbours.switches.ledgerAway = true;
    const stuck = 51;
    for (let made = 0; made < stuck; made++) await credit(maker, { amount: 500 });
    await credit(maker, { amount: 600, merchantId: other });
    neighbours.switches.ledgerAway = false;
    neighbours.stopped.add(neighbours.holders.get(MERCHANT)?.userId ?? '');
    await expect(finish()).rejects.toMatchObject({ code: 'unavailable' });
    neighbours.stopped.clear();
    const rows = await service.db
      .selectFrom('admin_deposits')
      .select(['amount', 'transaction_id'])
      .where('admin_user_id', '=', maker.userId)
      .orderBy('id')
      .execute();
    expect(rows.map(({ amount, transaction_id }) => [amount, transaction_id !== null])).toEqual([
      ...Array.from({ length: stuck }, () => ['500.00', false]),
      ['600.00', true],
    ]);
    await finish();
  });

  test('to an account that was closed first ends in the register, once, and does not count', async () => {
    const maker = administrator();
    const key = randomUUID();
    neighbours.switches.ledgerAway = true;
    await credit(maker, { amount: 10_000_000, key });
    neighbours.switches.ledgerAway = false;
    const userId = neighbours.holders.get(MERCHANT)?.userId ?? '';
    neighbours.closed.add(userId);
    await finish();
    await finish();
    expect((await actions()).filter(({ action }) => action === 'credit.ended')).toMatchObject([
      { actor: { name: 'Vuka' }, after: { amount: '10000000.00', beneficiary: MERCHANT } },
    ]);
    expect((await recent())[0]).not.toMatchObject({ amount: '10000000.00', madeBy: maker.name });
    expect(await credit(maker, { amount: 10_000_000, key })).toMatchObject({
      status: 404,
      body: { reason: 'credit_to_closed_account' },
    });
    const mayClose = await send('GET', `/internal/accounts/${userId}/may-close`, {
      ...administrator(),
      pinVerified: true,
    });
    expect(mayClose.status).toBe(200);
    neighbours.closed.clear();
    await finish();
    expect((await credit(maker, { amount: 10_000_000 })).body.kind).toBe('credited');
  });

  test('may go to the own account, as to any other', async () => {
    const maker = administrator();
    const own = { merchantId: maker.adminId, amount: 500 };
    const credited = { kind: 'credited', credit: { amount: '500.00', merchantId: maker.adminId } };
    expect(await credit(maker, own)).toMatchObject({ status: 201, body: credited });
    const { body } = await credit({ ...maker, pinRecent: false, pinVerified: false }, own);
    expect(body.code).toBe('step_up_required');
  });

  test('is refused with nothing entered while the ledger is unavailable', async () => {
    neighbours.switches.ledgerShut = true;
    const maker = administrator();
    const { status, body } = await credit(maker, { amount: 500 });
    expect(status).toBe(503);
    expect(body.code).toBe('unavailable');
    const entered = service.db.selectFrom('admin_deposits').where('admin_user_id', '=', maker.userId);
    expect(await entered.select('id').execute()).toEqual([]);
  });

  test('whose ledger fails in the middle is answered as recorded, and is made once', async () => {
    neighbours.switches.ledgerAway = true;
    const maker = administrator();
    const { status, body } = await credit(maker, { amount: 500 });
    expect(status).toBe(503);
    expect(body.error).toBe(
      'The request is recorded and will be completed as soon as the ledger answers. Please do not enter it again.',
    );
    neighbours.switches.ledgerAway = false;
    await finish();
    const entered = service.db.selectFrom('admin_deposits').where('admin_user_id', '=', maker.userId);
    const { id, transaction_id } = await entered.select(['id', 'transaction_id']).executeTakeFirstOrThrow();
    expect(transaction_id).toBe(neighbours.movements.get(id));
    expect(ordersFor(id)).toHaveLength(1);
  });

  test.each([
    ['KES', 10_000_000],
    ['TZS', 200_000_000],
  ])('of %s moves at once, without approval', async (currency, amount) => {
    const { status, body } = await credit(administrator(), { currency, amount });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'credited',
      credit: { amount: `${amount}.00`, currency, merchantId: MERCHANT, transactionId: expect.any(String) },
    });
    expect((await actions()).map(({ action }) => action)).toEqual(['merchant.credited']);
  });

  test('is the same credit for its key, even if the limit has been lowered since', async () => {
    const maker = administrator();
    const order = { amount: 5_000, key: randomUUID() };
    const { body: first } = await credit(maker, order);
    await withLimit('4999', async () => {
      expect((await credit(maker, order)).body).toEqual(first);
      expect((await credit(maker, { ...order, key: randomUUID() })).body.kind).toBe('waiting');
    });
  });

  test('cannot be decided on', async () => {
    await credit(administrator(), { amount: 1 });
    const { id } = await service.db
      .selectFrom('admin_deposits')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(await decide(id, refuse)).toMatchObject({ status: 404, body: { error: 'Credit not found' } });
  });
});

/** Sets the limit; a raise takes two administrators. */
async function setLimit(limit: object): Promise<void> {
  const { body: settings } = await send('GET', '/internal/settings/system', administrator());
  const change = { ...settings, creditApprovalLimit: { ...settings.creditApprovalLimit, ...limit } };
  const { body } = await send('POST', '/internal/settings/system', administrator(), change);
  const { proposal } = body;
  if (proposal)
    await send('POST', '/internal/limit-proposals/decide', administrator(), { id: proposal.id, decision: approve });
  const { body: saved } = await send('GET', '/internal/settings/system', administrator());
  expect(saved.creditApprovalLimit).toMatchObject(limit);
}

async function withLimit(KES: string, run: () => Promise<void>): Promise<void> {
  await setLimit({ KES });
  await run();
  await setLimit({ KES: '10000000' });
}

describe('a credit above the limit', () => {
  test('waits, moves nothing, and is on the list and on the audit trail', async () => {
    const { id, maker } = await waiting();
    expect(ordersFor(id)).toEqual([]);
    await finish();
    expect(ordersFor(id)).toEqual([]);
    expect((await list()).credits.find((item: { id: string }) => item.id === id)).toEqual({
      id,
      kind: 'credit',
      createdAt: expect.any(String),
      status: 'awaiting_approval',
      amount: '10000001.00',
      currency: 'KES',
      merchantId: MERCHANT,
      merchantName: 'Amina Otieno',
      merchantUserId: '0190a000-0000-7000-8000-0000000000aa',
      reason: `Credit to ${MERCHANT}`,
      reference: expect.stringMatching(/^CRD-\d{8}-\w{8}$/),
      requestedBy: { adminId: maker.adminId, name: maker.name },
      decidedBy: null,
      decidedAt: null,
      refusalReason: null,
      transactionId: null,
      endedAt: null,
      isOwn: false,
    });
    expect((await actions()).at(-1)).toMatchObject({
      action: 'credit.requested',
      actor: { adminId: maker.adminId },
      subject: { kind: 'deposit', id },
      after: { amount: '10000001.00', currency: 'KES', beneficiary: MERCHANT },
    });
  });

  test('that another administrator approves moves once, under its own key, and names the approver', async () => {
    const { id } = await waiting();
    const checker = administrator();
    const { status, body } = await decide(id, approve, checker);
    expect(status).toBe(200);
    expect(body.credit).toMatchObject({
      status: 'approved',
      decidedBy: { adminId: checker.adminId, name: checker.name },
      transactionId: neighbours.movements.get(id),
    });
    expect(ordersFor(id)).toMatchObject([
      { amount: '10000001.00', currency: 'KES', description: `Credit to ${MERCHANT}` },
    ]);
    expect((await actions()).at(-1)).toMatchObject({
      action: 'credit.approved',
      actor: { adminId: checker.adminId },
      address: '192.0.2.7',
      before: { status: 'awaiting_approval' },
      after: { status: 'approved', amount: '10000001.00' },
    });
  });

  test.each([null, 'support'] as const)(
    'is not approved once its requester is blocked or has another role (%s), and can then be refused',
    async (role) => {
      const { id, maker } = await waiting();
      service.rolesNow.set(maker.userId, role);
      expect(await decide(id, approve)).toMatchObject({ status: 403, body: { reason: 'requester_lost_right' } });
      expect(ordersFor(id)).toEqual([]);
      expect((await decide(id, refuse)).body.credit.status).toBe('refused');
    },
  );

  test('that was approved stays so for the approver who repeats it, also once its requester is blocked', async () => {
    const { id, maker } = await waiting();
    const checker = administrator();
    await decide(id, approve, checker);
    service.rolesNow.set(maker.userId, null);
    expect((await decide(id, approve, checker)).body.credit.status).toBe('approved');
  });

  test('to an account that was closed first ends when it is approved', async () => {
    const { id } = await waiting();
    neighbours.closed.add(neighbours.holders.get(MERCHANT)?.userId ?? '');
    expect((await decide(id, approve)).body.reason).toBe('credit_to_closed_account');
    neighbours.closed.clear();
    const { credits } = await list('?status=approved');
    expect(credits[0]).toMatchObject({ id, transactionId: null, endedAt: expect.any(String) });
    await finish();
    expect(ordersFor(id)).toEqual([]);
  });

  test('that is refused never moves, and keeps the reason', async () => {
    const { id } = await waiting();
    const { body } = await decide(id, refuse);
    expect(body.credit).toMatchObject({ status: 'refused', refusalReason: refuse.reason, transactionId: null });
    await finish();
    expect(ordersFor(id)).toEqual([]);
    expect((await actions()).at(-1)).toMatchObject({
      action: 'credit.refused',
      reason: refuse.reason,
      after: { status: 'refused' },
    });
    expect((await list('?status=refused')).credits[0].id).toBe(id);
  });

  test('is decided on once by ten concurrent administrators, and the others get already_decided', async () => {
    const { id } = await waiting();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => decide(id, n % 2 ? approve : refuse)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const { body } of answers.filter((answer) => !winners.includes(answer))) {
      expect(body).toMatchObject({ code: 'already_decided', error: 'This credit has been decided already.' });
    }
    const isApproved = winners[0]?.body.credit.status === 'approved';
    expect(ordersFor(id)).toHaveLength(isApproved ? 1 : 0);
    expect((await actions()).filter(({ action }) => /approved|refused/.test(action))).toHaveLength(1);
  });

  test('that one administrator approves five times concurrently is one decision and one movement', async () => {
    const { id } = await waiting();
    const checker = administrator();
    const answers = await Promise.all(Array.from({ length: 5 }, () => decide(id, approve, checker)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.credit.transactionId)).size).toBe(1);
    expect(new Set(ordersFor(id).map(({ key }) => key)).size).toBe(1);
    expect((await actions()).filter(({ action }) => action === 'credit.approved')).toHaveLength(1);
    expect((await decide(id, refuse, checker)).body.code).toBe('already_decided');
  });

  test('is never decided on by its requester, not even directly in the database, nor by its beneficiary', async () => {
    const { id, maker } = await waiting();
    for (const decision of [approve, refuse]) {
      expect(await decide(id, decision, maker)).toMatchObject({
        status: 403,
        body: { error: 'You requested this credit. Another administrator must decide.' },
      });
    }
    const asDecided = { approval: 'approved' as const, checker_id: 'ADM1', checker_name: 'x', decided_at: new Date() };
    const write = (checker_user_id: string) =>
      service.db
        .updateTable('admin_deposits')
        .set({ ...asDecided, checker_user_id })
        .where('id', '=', id)
        .execute();
    await expect(write(maker.userId)).rejects.toMatchObject({ constraint: 'admin_deposits_maker_is_no_checker' });
    expect((await list('', maker)).credits.find((item: { id: string }) => item.id === id).isOwn).toBe(true);

    const checker = administrator();
    const { id: forChecker } = await waiting({ merchantId: checker.adminId });
    expect(await decide(forChecker, approve, checker)).toMatchObject({
      status: 403,
      body: { error: 'This credit is for your own account. Another administrator must decide.' },
    });
    expect((await row(forChecker)).approval).toBe('awaiting_approval');
  });

  test('has no movement in the database before an approval, and no second decision after', async () => {
    const { id } = await waiting();
    const write = (change: object) =>
      service.db.updateTable('admin_deposits').set(change).where('id', '=', id).execute();
    await expect(write({ transaction_id: randomUUID() })).rejects.toMatchObject({
      constraint: 'admin_deposits_moved_if_agreed',
    });
    await expect(write({ approval: 'approved' })).rejects.toMatchObject({
      constraint: 'admin_deposits_decided_by_somebody',
    });
    await decide(id, refuse);
    await expect(write({ approval: 'approved', refusal_reason: null })).rejects.toMatchObject({ code: 'VK003' });
  });

  test('that is approved while the ledger is unavailable is refused with nothing decided', async () => {
    const { id } = await waiting();
    neighbours.switches.ledgerShut = true;
    expect((await decide(id, approve)).status).toBe(503);
    expect(await row(id)).toMatchObject({ approval: 'awaiting_approval', decided_at: null });
    expect(ordersFor(id)).toHaveLength(0);
  });

  test('whose ledger failed after the approval is completed later, once', async () => {
    const { id } = await waiting();
    neighbours.switches.ledgerAway = true;
    const checker = administrator();
    expect((await decide(id, approve, checker)).status).toBe(503);
    expect(await row(id)).toMatchObject({ approval: 'approved', transaction_id: null });
    neighbours.switches.ledgerAway = false;
    await finish();
    expect((await row(id)).transaction_id).toBe(neighbours.movements.get(id));
    expect((await decide(id, approve, checker)).body.credit.transactionId).toBe(neighbours.movements.get(id));
    expect(ordersFor(id)).toHaveLength(1);
  });

  test('whose movement was made but whose answer was lost is the same movement on a repeat', async () => {
    const { id } = await waiting();
    neighbours.switches.answersLost = 2; // the client repeats once on its own
    expect((await decide(id, approve)).status).toBe(503);
    const moved = neighbours.movements.get(id);
    await finish();
    expect((await row(id)).transaction_id).toBe(moved);
    expect(new Set(ordersFor(id).map(({ key }) => key))).toEqual(new Set([id]));
  });

  test('is one request per key, repeated or concurrent, also after the decision; a different one is a conflict', async () => {
    const maker = administrator();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => credit(maker, { key })));
    const ids = new Set(answers.map(({ body }) => body.credit.id));
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    await decide(id, approve);
    expect((await credit(maker, { key })).body).toMatchObject({ kind: 'waiting', credit: { id, status: 'approved' } });
    expect((await credit(maker, { key, amount: LARGE + 1 })).body.code).toBe('idempotency_conflict');
    await withLimit('999999999999', async () => {
      expect((await credit(maker, { key })).body.credit.id).toBe(id);
    });
    expect(ordersFor(id)).toHaveLength(1);
  });
});

test('open ones are listed oldest first, decided ones newest first, in pages', async () => {
  await service.db.deleteFrom('admin_deposits').execute();
  const made: string[] = [];
  for (let n = 0; n < 3; n++) {
    service.clock.advance(1_000);
    made.push((await waiting()).id);
  }
  const ids = (page: { credits: { id: string }[] }) => page.credits.map(({ id }) => id);
  const first = await list('?limit=2');
  expect(ids(first)).toEqual(made.slice(0, 2));
  expect(ids(await list(`?limit=2&cursor=${first.nextCursor}`))).toEqual(made.slice(2));
  for (const id of made) await decide(id, refuse);
  expect(ids(await list())).toEqual([]);
  expect(ids(await list('?status=refused'))).toEqual(made.toReversed());
});

test.each([
  [{ kind: 'refuse' }, 'Reason is required'],
  [{ kind: 'refuse', reason: '  ' }, 'Reason is required'],
  [{ kind: 'refuse', reason: 'no' }, 'Reason must be at least 3 characters'],
  [{ kind: 'refuse', reason: 'x'.repeat(201) }, 'Reason must be less than 200 characters'],
])('the decision %j is refused', async (decision, error) => {
  const { id } = await waiting();
  expect(await decide(id, decision)).toMatchObject({ status: 400, body: { error } });
  expect((await row(id)).approval).toBe('awaiting_approval');
});

test('a limit has to be a whole number', async () => {
  const { body: settings } = await send('GET', '/internal/settings/system', administrator());
  const creditApprovalLimit = { KES: '1.5', TZS: '1' };
  expect(
    await send('POST', '/internal/settings/system', administrator(), { ...settings, creditApprovalLimit }),
  ).toMatchObject({ status: 400, body: { error: 'Approval limit must be a whole number' } });
});

test('only administrators read and decide, and a decision needs a PIN checked for it', async () => {
  const { id } = await waiting();
  const merchant = { ...administrator(), isAdmin: false, adminId: null };
  for (const [caller, status] of [
    [merchant, 403],
    [null, 401],
  ] as const) {
    expect((await decide(id, approve, caller)).status).toBe(status);
    expect((await send('GET', '/internal/large-credits', caller)).status).toBe(status);
  }
  expect((await decide(id, approve, { ...administrator(), pinVerified: false })).body.code).toBe('invalid_pin');
  expect((await decide(randomUUID(), approve)).status).toBe(404);
  expect((await row(id)).approval).toBe('awaiting_approval');
});
