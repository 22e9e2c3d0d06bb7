import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import type { ActionRecorded } from '@vuka/contracts/messages/audit';
import { listMessages } from '@vuka/service-kit/outbox';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAdmin } from '#administrators/create-or-reset-admin.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { admin, createIdentity, PEPPERS } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity.stop());

const caller = { ...admin, address: '192.0.2.9' };
const signIn = (username: string, pin: string) => identity.send('POST', '/internal/login', { username, pin });
const act = (id: string, what: 'toggle-block' | 'unlock', by = caller) =>
  identity.send('POST', `/internal/merchants/${id}/${what}`, {}, by);
const account = async (id: string) => (await identity.send('GET', `/internal/merchants/${id}`, undefined, caller)).body;

async function recorded(subject: string) {
  const envelopes = (await listMessages(identity.db)).map(({ envelope }) => envelope);
  const actions = envelopes.filter(({ type }) => type === 'admin.action-recorded.v1');
  const entries = actions
    .filter((envelope) => envelope.subject === subject)
    .map(({ data }) => data as { action: string });
  return entries.filter(({ action }) => action !== 'administrator.created' && action !== 'merchant.viewed');
}

async function lockedMerchant() {
  const { user } = await identity.register();
  for (let attempt = 0; attempt < 3; attempt += 1) await signIn(user.email, '9753');
  return user;
}

async function newAdmin(email: string) {
  const hasher = createPinHasher(PEPPERS);
  const details = {
    email,
    name: 'Admin',
    phone: '+254700000000',
    pin: '2468',
    resetPin: false,
    role: 'owner' as const,
  };
  const { adminId } = await createAdmin({ db: identity.db, hasher }, details);
  const { id } = await identity.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { ...caller, userId: id, adminId };
}

describe('a merchant who gave too many wrong PINs', () => {
  test('is shown with the end of the lock, and signs in at once after an unlock, which is recorded once', async () => {
    const user = await lockedMerchant();
    expect((await signIn(user.email, '1357')).status).toBe(429);
    const lockedUntil = (await account(user.id)).lockedUntil;
    expect(Date.parse(lockedUntil)).toBeGreaterThan(identity.clock.now().getTime());
    const { merchants } = (await identity.send('GET', '/internal/merchants', undefined, caller)).body;
    expect(merchants.find((row: { id: string }) => row.id === user.id)).toMatchObject({ lockedUntil });
    const answers = await Promise.all([act(user.id, 'unlock'), act(user.id, 'unlock'), act(user.id, 'unlock')]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { lockedUntil: null } });
    expect((await signIn(user.email, '1357')).status).toBe(200);
    expect(await recorded(user.id)).toMatchObject([
      { action: 'user.unlocked', address: '192.0.2.9', before: { lockedUntil }, after: { lockedUntil: null } },
    ]);
  });

  test('is unlocked three times in 24 hours, so that guessing and unlocking in turn finds no PIN', async () => {
    const user = await lockedMerchant();
    const answers: number[] = [];
    for (let time = 0; time < 4; time++) {
      answers.push((await act(user.id, 'unlock')).status);
      for (let attempt = 0; attempt < 3; attempt += 1) await signIn(user.email, '9753');
    }
    expect(answers).toEqual([200, 200, 200, 403]);
    expect((await signIn(user.email, '1357')).status).toBe(429);
    expect((await act(user.id, 'unlock')).body.reason).toBe('unlocks_too_many');
    identity.clock.advance(24 * 3_600_000);
    for (let attempt = 0; attempt < 3; attempt += 1) await signIn(user.email, '9753');
    expect((await act(user.id, 'unlock')).status).toBe(200);
  });

  test('is locked for the initial time again after an unlock', async () => {
    const user = await lockedMerchant();
    await act(user.id, 'unlock');
    for (let attempt = 0; attempt < 3; attempt += 1) await signIn(user.email, '9753');
    expect(Number((await signIn(user.email, '1357')).retryAfter)).toBeLessThanOrEqual(15 * 60);
  });

  test('shows the attempts left, and no expired lock', async () => {
    const { user, token } = await identity.register();
    await identity.check([{ token, pin: '9753' }]);
    expect(await account(user.id)).toMatchObject({ failedPinAttempts: 1, maxPinAttempts: 3, lockedUntil: null });
    const locked = await lockedMerchant();
    identity.clock.advance(16 * 60_000);
    expect(await account(locked.id)).toMatchObject({ lockedUntil: null });
  });

  test('is unlocked, blocked and viewed by administrators only', async () => {
    const { user } = await identity.register();
    const merchant = { ...caller, isAdmin: false };
    expect((await act(user.id, 'unlock', merchant)).status).toBe(403);
    expect((await act(user.id, 'toggle-block', merchant)).status).toBe(403);
    expect((await identity.send('POST', `/internal/merchants/${user.id}/unlock`, {})).status).toBe(401);
    expect((await identity.send('GET', `/internal/merchants/${user.id}`, undefined, merchant)).status).toBe(403);
    expect((await act('0190a000-0000-7000-8000-00000000dead', 'unlock')).status).toBe(404);
    expect((await act('x', 'unlock')).status).toBe(400);
  });
});

describe('blocking', () => {
  test('and unblocking a merchant are recorded with the state before and after', async () => {
    const { user } = await identity.register();
    await act(user.id, 'toggle-block');
    await act(user.id, 'toggle-block');
    expect(await recorded(user.id)).toMatchObject([
      { action: 'user.blocked', subject: { kind: 'user', label: user.fullName }, after: { isBlocked: true } },
      { action: 'user.unblocked', before: { isBlocked: true }, after: { isBlocked: false } },
    ]);
  });

  test('oneself or the last active administrator is refused; of two who block each other one stays active', async () => {
    const [amina, juma] = [await newAdmin('amina@admin.test'), await newAdmin('juma@admin.test')];
    expect(await act(amina.userId, 'toggle-block', amina)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', error: 'You cannot block your own account.' },
    });
    const both = await Promise.all([act(amina.userId, 'toggle-block', juma), act(juma.userId, 'toggle-block', amina)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(both.find(({ status }) => status === 403)?.body.error).toBe('The last active owner cannot be blocked.');
    const active = await identity.db
      .selectFrom('users')
      .select('id')
      .where('is_admin', '=', true)
      .where('is_blocked', '=', false)
      .execute();
    expect(active).toHaveLength(1);
  });
});

test('a PIN change of an administrator is recorded without a PIN', async () => {
  const zuri = await newAdmin('zuri@admin.test');
  const { body } = await signIn('zuri@admin.test', '2468');
  const change = { token: body.token, currentPin: '2468', newPin: '8642' };
  expect((await identity.send('POST', '/internal/change-pin', change, zuri)).status).toBe(200);
  const entries = await recorded(zuri.userId);
  expect(entries).toMatchObject([{ action: 'user.pin-changed', before: null, after: null }]);
  expect(JSON.stringify(entries)).not.toMatch(/2468|8642/);
});

test('an administrator is no merchant: others cannot export their data, nor anyone give them the limits of a business', async () => {
  const baraka = await newAdmin('baraka@admin.test');
  const body = { isBusiness: true };
  const path = `/internal/merchants/${baraka.userId}/business`;
  const confirmed = { pinRecent: true, pinVerified: true };
  const support = { ...caller, ...confirmed, role: 'support' as const };
  const answers = [
    await identity.send('POST', path, body, { ...caller, ...confirmed, userId: baraka.userId }),
    await identity.send('POST', path, body, { ...caller, ...confirmed }),
    await identity.send('POST', '/internal/accounts/export', { userId: baraka.userId }, support),
  ];
  expect(answers.map(({ body: { reason } }) => reason)).toEqual(Array(3).fill('merchant_not_found'));
  const own = await identity.send(
    'POST',
    '/internal/accounts/export',
    { userId: baraka.userId },
    {
      ...baraka,
      ...confirmed,
    },
  );
  expect(own.status).toBe(200);
});

test('an administrator is shown only to roles that may read about administrators', async () => {
  const neema = await newAdmin('neema@admin.test');
  const read = async (role: 'owner' | 'auditor' | 'support' | 'finance') => {
    const { status } = await identity.send('GET', `/internal/merchants/${neema.userId}`, undefined, {
      ...caller,
      role,
    });
    return status;
  };
  expect([await read('owner'), await read('auditor'), await read('support'), await read('finance')]).toEqual([
    200, 200, 404, 404,
  ]);
});

test('an order that changes nothing shows an administrator’s account to owners only', async () => {
  const neema = await newAdmin('asha@admin.test');
  const block = (role: 'owner' | 'support') =>
    identity.send(
      'POST',
      `/internal/merchants/${neema.userId}/toggle-block`,
      { isBlocked: false },
      { ...caller, role },
    );
  expect(await block('support')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await block('owner')).status).toBe(200);
});

describe('an administrator who reads about merchants', () => {
  async function readings(of: Caller) {
    const envelopes = (await listMessages(identity.db)).map(({ envelope }) => envelope);
    const entries = envelopes.filter(({ type }) => type === 'admin.action-recorded.v1').map(({ data }) => data);
    return (entries as ActionRecorded[]).filter(
      ({ actor, action }) => actor.userId === of.userId && /viewed|listed|searched/.test(action),
    );
  }
  const support = () => ({ ...caller, userId: randomUUID(), role: 'support' as const });
  const read = (path: string, by: Caller) => identity.send('GET', `/internal/merchants${path}`, undefined, by);

  test('is on the audit trail with the merchant, once an hour', async () => {
    const [one, other] = [support(), support()];
    const { user } = await identity.register();
    for (const by of [one, one, other]) expect((await read(`/${user.id}`, by)).status).toBe(200);
    const entry = {
      action: 'merchant.viewed',
      subject: { kind: 'user', id: user.id, label: user.merchantData.merchantId },
      address: caller.address,
    };
    expect([await readings(one), await readings(other)]).toMatchObject([[entry], [entry]]);
    identity.clock.advance(3_600_000);
    await read(`/${user.id}`, one);
    expect(await readings(one)).toMatchObject([entry, entry]);
  });

  test('is on it also if a block or an unlock changes nothing and so only shows the merchant', async () => {
    const { user } = await identity.register();
    for (const [order, body] of [
      ['toggle-block', { isBlocked: false }],
      ['unlock', {}],
    ] as const) {
      const by = support();
      const { status } = await identity.send('POST', `/internal/merchants/${user.id}/${order}`, body, by);
      expect([status, await readings(by)]).toMatchObject([
        200,
        [{ action: 'merchant.viewed', subject: { id: user.id } }],
      ]);
    }
  });

  test('is on it with every order of a list, which begins with other merchants', async () => {
    const by = support();
    for (const sort of ['fullName', '-fullName', 'fullName']) await read(`?limit=1&sort=${sort}`, by);
    expect(await readings(by)).toHaveLength(2);
  });

  test('is on it an hour later, also if the clock was set back meanwhile', async () => {
    const by = support();
    const { user } = await identity.register();
    await read(`/${user.id}`, by);
    const [dayMs, monotonicNow] = [86_400_000, performance.now.bind(performance)];
    let passedMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => monotonicNow() + passedMs);
    identity.clock.advance(-dayMs);
    onTestFinished(() => {
      clock.mockRestore();
      identity.clock.advance(dayMs);
    });
    await read(`/${user.id}`, by);
    expect(await readings(by)).toHaveLength(1);
    passedMs = 3_600_000;
    await read(`/${user.id}`, by);
    expect(await readings(by)).toHaveLength(2);
  });

  test('is on it with what a search found, without the number that was searched', async () => {
    const by = support();
    const { user } = await identity.register();
    const number = user.phone.slice(1);
    for (const _ of [1, 2]) expect((await read(`?search=${number}&limit=20`, by)).body.total).toBe(1);
    await read('?limit=1', by);
    const { nextCursor } = (await read('?limit=1', by)).body;
    await read(`?limit=1&cursor=${nextCursor}`, by);
    const entries = await readings(by);
    expect(entries).toMatchObject([
      { action: 'merchants.searched', after: { shown: 1, found: [user.id] } },
      { action: 'merchants.listed', after: { shown: 1 } },
      { action: 'merchants.listed', after: { shown: 1 } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(number);
  });

  test('sees nothing that cannot be recorded', async () => {
    const { user } = await identity.register();
    await identity.pool.query('alter table outbox rename to outbox_gone');
    const answers = [await read(`/${user.id}`, support()), await read('', support())];
    await identity.pool.query('alter table outbox_gone rename to outbox');
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(JSON.stringify(answers)).not.toContain(user.email);
  });
});
