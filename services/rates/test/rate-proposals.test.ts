import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRates, type Rates, admin as signedIn } from './harness.ts';

const HOUR_MS = 3_600_000;

const person = (name: string) => ({ ...signedIn, userId: randomUUID(), adminId: `ADM-${name}`, name });
const maker = person('Maker');
const checker = { ...person('Checker'), pinVerified: true };
const third = { ...person('Third'), pinVerified: true };
const approve = { kind: 'approve' };
const refuse = { kind: 'refuse', reason: 'a slip of the decimal point' };

let rates: Rates;
beforeAll(async () => {
  rates = await createRates();
});
afterAll(() => rates.stop());

/** Each test starts with a first rate of 24 without markup, set a week ago. */
beforeEach(async () => {
  for (const table of ['proposals', 'rate_history', 'exchange_rates', 'outbox'] as const) {
    await rates.db.deleteFrom(table).execute();
  }
  await set('24');
  rates.clock.advance(7 * 24 * HOUR_MS);
});

const set = (buyRate: string, caller = maker, markup = '0') =>
  rates.send('POST', '/internal/rates', { payload: { buyRate, markup }, caller });
const inForce = async () => (await rates.send('GET', '/internal/pricing')).body;
const decide = (id: string, decision: object, caller = checker) =>
  rates.send('POST', '/internal/rate-proposals/decide', { payload: { id, decision }, caller });
const list = async (status = 'awaiting_approval', caller = checker) =>
  (await rates.send('GET', `/internal/rate-proposals?status=${status}`, { caller })).body.proposals;
const history = async () => (await rates.send('GET', '/internal/rates/history', { caller: maker })).body;
async function published(type: string) {
  const envelopes = (await rates.events()).map(({ envelope }) => envelope);
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the published messages
  return envelopes.filter((envelope) => envelope.type === type).map(({ data }) => data as any);
}
const actions = () => published('admin.action-recorded.v1');
async function proposed(buyRate = '40'): Promise<string> {
  const { status, body } = await set(buyRate);
  expect(status).toBe(200);
  return body.proposal.id;
}

describe('a large change', () => {
  test('waits as a proposal while rate, version and published prices do not change', async () => {
    const before = await inForce();
    const publishedBefore = (await published('rates.updated.v1')).length;
    const { body } = await set('40', maker, '2');
    expect(body).toEqual({
      proposal: {
        id: expect.any(String),
        createdAt: rates.clock.now().toISOString(),
        expiresAt: new Date(rates.clock.now().getTime() + 24 * HOUR_MS).toISOString(),
        status: 'awaiting_approval',
        requestedBy: { adminId: 'ADM-Maker', name: 'Maker' },
        decidedBy: null,
        decidedAt: null,
        refusalReason: null,
        isOwn: true,
        before: { buyRate: 24, markup: 0, kesToTzs: 24, tzsToKes: 0.0416666666666666 },
        after: { buyRate: 40, markup: 2, kesToTzs: 39.2, tzsToKes: 0.0245 },
      },
    });
    expect(await inForce()).toEqual(before);
    expect(await published('rates.updated.v1')).toHaveLength(publishedBefore);
    expect((await actions()).at(-1)).toMatchObject({
      action: 'rates.proposed',
      actor: { adminId: 'ADM-Maker' },
      before: { buyRate: '24' },
      after: { buyRate: '40', markup: '2' },
    });
    expect(await list()).toEqual([{ ...body.proposal, isOwn: false }]);
  });

  test('approved by another administrator takes force once, with both named', async () => {
    const id = await proposed();
    const { version } = await inForce();
    const { status, body } = await decide(id, approve);
    expect(status).toBe(200);
    expect(body.proposal).toMatchObject({ status: 'approved', decidedBy: { adminId: 'ADM-Checker', name: 'Checker' } });
    expect(await inForce()).toMatchObject({ buyRate: '40', version: version + 1 });
    expect((await published('rates.updated.v1')).at(-1)).toMatchObject({ buyRate: '40' });
    expect((await history())[0]).toMatchObject({ buyRate: 40, updatedByName: 'Maker' });
    expect((await actions()).at(-1)).toMatchObject({
      action: 'rates.approved',
      actor: { adminId: 'ADM-Checker' },
      before: { buyRate: '24' },
      after: { buyRate: '40', proposedBy: 'ADM-Maker', proposal: id },
    });
    const entries = (await history()).length;
    expect((await decide(id, approve)).body.proposal).toEqual(body.proposal);
    expect(await history()).toHaveLength(entries);
    expect((await inForce()).version).toBe(version + 1);
  });

  test('that is refused never takes force, and records the reason', async () => {
    const id = await proposed();
    expect((await decide(id, refuse)).body.proposal).toMatchObject({
      status: 'refused',
      refusalReason: refuse.reason,
    });
    expect(await inForce()).toMatchObject({ buyRate: '24' });
    expect((await actions()).at(-1)).toMatchObject({ action: 'rates.refused', reason: refuse.reason });
    expect((await decide(id, approve, third)).body).toMatchObject({
      code: 'already_decided',
      error: 'This proposal has been decided already.',
    });
    expect(await list('refused')).toHaveLength(1);
  });

  test('cannot be decided by its proposer, even in SQL, nor changed to another rate', async () => {
    const id = await proposed();
    for (const decision of [approve, refuse]) {
      expect(await decide(id, decision, { ...maker, pinVerified: true })).toMatchObject({
        status: 403,
        body: { error: 'You proposed this change. Another administrator must decide.' },
      });
    }
    const write = (change: object) => rates.db.updateTable('proposals').set(change).where('id', '=', id).execute();
    const decided = { decider_id: 'x', decider_name: 'x', decided_at: rates.clock.now() };
    await expect(write({ ...decided, status: 'approved', decider_user_id: maker.userId })).rejects.toMatchObject({
      constraint: 'proposals_requester_is_no_decider',
    });
    await expect(write({ status: 'approved' })).rejects.toMatchObject({ constraint: 'proposals_decided_by_one' });
    await expect(write({ after: '{"buyRate":"99","markup":"0"}' })).rejects.toMatchObject({ code: 'VK004' });
    await decide(id, refuse);
    await expect(
      write({ ...decided, status: 'approved', decider_user_id: third.userId, refusal_reason: null }),
    ).rejects.toMatchObject({ code: 'VK004' });
  });

  test('is not approved once its proposer is blocked or may no longer set rates', async () => {
    const before = await inForce();
    const id = await proposed();
    for (const role of [null, 'support'] as const) {
      rates.rolesNow.set(maker.userId, role);
      expect((await decide(id, approve)).body.reason).toBe('requester_lost_right');
    }
    expect(await inForce()).toEqual(before);
    rates.rolesNow.clear();
    expect((await decide(id, approve)).body.proposal.status).toBe('approved');
    rates.rolesNow.set(maker.userId, null);
    expect((await decide(id, approve)).body.proposal.status).toBe('approved');
    rates.rolesNow.clear();
  });

  test('is decided once by ten concurrent administrators', async () => {
    const id = await proposed();
    const entries = (await history()).length;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => decide(id, n % 2 ? approve : refuse, { ...checker, userId: randomUUID() })),
    );
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect(answers.filter(({ body }) => body.code === 'already_decided')).toHaveLength(9);
    const isApproved = winner?.body.proposal.status === 'approved';
    expect(await history()).toHaveLength(entries + (isApproved ? 1 : 0));
    expect((await inForce()).buyRate).toBe(isApproved ? '40' : '24');
  });

  test('repeated by the same administrator is the same proposal; a different one replaces it', async () => {
    const id = await proposed();
    expect((await set('40.0')).body.proposal.id).toBe(id);
    expect((await actions()).filter(({ action }) => action === 'rates.proposed')).toHaveLength(1);
    const newer = (await set('50', third)).body.proposal.id;
    expect((await list()).map((item: { id: string }) => item.id)).toEqual([newer]);
    expect(await list('superseded')).toMatchObject([{ id }]);
    expect((await decide(id, approve)).body).toMatchObject({
      code: 'already_decided',
      error: 'This proposal was replaced by a newer change.',
    });
    expect(await inForce()).toMatchObject({ buyRate: '24' });
  });

  test('proposed ten times concurrently waits once', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, n) => set(String(40 + n), n % 2 ? maker : third)));
    expect(await list()).toHaveLength(1);
    expect(await list('superseded')).toHaveLength(9);
  });

  test('is superseded by a rate set directly', async () => {
    const id = await proposed();
    await set('25', third);
    expect((await decide(id, approve)).body.code).toBe('already_decided');
    expect(await inForce()).toMatchObject({ buyRate: '25' });
  });

  test('expires after 24 hours and can then be proposed again', async () => {
    const id = await proposed();
    rates.clock.advance(24 * HOUR_MS - 1);
    expect(await list()).toHaveLength(1);
    rates.clock.advance(1);
    expect(await list()).toEqual([]);
    expect(await list('expired')).toMatchObject([{ id, status: 'expired' }]);
    expect((await decide(id, approve)).body).toMatchObject({
      code: 'already_decided',
      error: 'This proposal has expired.',
    });
    const again = await proposed();
    expect(again).not.toBe(id);
    expect((await list('expired')).map((item: { id: string }) => item.id)).toEqual([id]);
    expect((await decide(again, approve)).status).toBe(200);
  });
});

describe('a change is measured', () => {
  test('against the rate of 24 hours ago, so that small steps do not add up', async () => {
    await set('33');
    expect((await set('36')).body.buyRate).toBe('36');
    expect((await set('36.1')).body.proposal).toBeDefined();
    rates.clock.advance(24 * HOUR_MS - 1);
    expect((await set('36.1')).body.proposal).toBeDefined();
    rates.clock.advance(1);
    expect((await set('36.1')).body.buyRate).toBe('36.1');
  });

  test('and the rate in force, saved again within the day of a large change, needs no approval', async () => {
    await decide(await proposed('40'), approve);
    const waiting = await proposed('70');
    expect((await set('40.00')).body.buyRate).toBe('40');
    expect(await list()).toEqual([]);
    expect((await decide(waiting, approve)).body.code).toBe('already_decided');
  });

  test('in both directions', async () => {
    expect((await set('15.999999')).body.proposal).toBeDefined();
    expect((await set('16')).body.buyRate).toBe('16');
  });

  test('against the first rate if none was in force 24 hours ago; the first rate itself has no limit', async () => {
    for (const table of ['proposals', 'rate_history', 'exchange_rates'] as const) {
      await rates.db.deleteFrom(table).execute();
    }
    expect((await set('1000')).body.buyRate).toBe('1000');
    expect((await set('1500')).body.buyRate).toBe('1500');
    expect((await set('1501')).body.proposal).toBeDefined();
  });
});

describe('a sole administrator', () => {
  const lone = { ...maker, isOnlyAdmin: true };

  test('sets a large change with the PIN in the call, as a separate audit action', async () => {
    expect(await set('40', lone)).toMatchObject({ status: 403, body: { code: 'pin_required' } });
    expect(await inForce()).toMatchObject({ buyRate: '24' });
    expect(await list()).toEqual([]);
    expect((await set('40', { ...lone, pinVerified: true })).body.buyRate).toBe('40');
    expect((await actions()).at(-1)).toMatchObject({ action: 'rates.updated-alone', after: { buyRate: '40' } });
  });

  test('sets a small change like any administrator', async () => {
    expect((await set('25', lone)).body.buyRate).toBe('25');
    expect((await actions()).at(-1)).toMatchObject({ action: 'rates.updated' });
  });
});

test('only administrators read and decide proposals, and deciding needs the PIN in the call', async () => {
  const id = await proposed();
  const merchant = { ...checker, isAdmin: false };
  expect((await decide(id, approve, merchant)).status).toBe(403);
  expect((await decide(id, approve, { ...checker, pinVerified: false })).body.code).toBe('invalid_pin');
  expect((await rates.send('GET', '/internal/rate-proposals', { caller: merchant })).status).toBe(403);
  expect((await rates.send('GET', '/internal/rate-proposals')).status).toBe(401);
  expect((await decide(randomUUID(), approve)).body).toMatchObject({ code: 'not_found', error: 'Proposal not found' });
  expect((await decide(id, { kind: 'refuse' })).body.error).toBe('Reason is required');
  expect((await set('50', { ...maker, pinRecent: false })).body.code).toBe('step_up_required');
  expect(await inForce()).toMatchObject({ buyRate: '24' });
});

test('the list filters by status and is paged, newest first', async () => {
  const ids = [await proposed('40'), await proposed('41'), await proposed('42'), await proposed('43')];
  const page = async (query: string) =>
    (await rates.send('GET', `/internal/rate-proposals?status=superseded&${query}`, { caller: checker })).body;
  const first = await page('limit=2');
  expect(first.proposals.map((item: { id: string }) => item.id)).toEqual([ids[2], ids[1]]);
  const second = await page(`limit=2&cursor=${first.nextCursor}`);
  expect(second.proposals.map((item: { id: string }) => item.id)).toEqual([ids[0]]);
  expect(second.nextCursor).toBeNull();
  expect((await rates.send('GET', '/internal/rate-proposals?status=x', { caller: checker })).status).toBe(400);
});
