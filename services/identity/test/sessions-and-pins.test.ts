import type { Delivery } from '@vuka/service-kit/messaging/message-bus';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { correctTimesAhead } from '#clock/times-ahead.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { createSprayingWatch } from '#pins/pin-spraying.ts';
import { pruneStrangerSignIns } from '#pins/stranger-attempts.store.ts';
import { applySettings } from '#settings/apply-settings.ts';
import { admin, createIdentity, PEPPERS } from './harness.ts';

type Identity = Awaited<ReturnType<typeof createIdentity>>;

let identity: Identity;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity.stop());

const signIn = (username: string, pin: string, browser = {}) =>
  identity.send('POST', '/internal/login', { username, pin, browser: { address: '', userAgent: '', ...browser } });
const MINUTE_MS = 60_000;
const SETTINGS = {
  systemName: 'Vuka',
  supportEmail: 'support@example.com',
  maxPinAttempts: 3,
  autoLogoutMinutes: 30,
};

describe('registration', () => {
  test('creates a merchant with a unique id, signed in, and returns no secrets', async () => {
    const { status, user, token } = await identity.register({ name: 'Juma Said', country: 'Tanzania' });
    expect(status).toBe(201);
    expect(user).toMatchObject({ fullName: 'Juma Said', isAdmin: false, adminId: null, defaultCurrency: 'KES' });
    expect(user.merchantData.merchantId).toMatch(/^[A-Z]{4}\d{4}[A-Z]{4}$/);
    expect(Object.keys(user).sort()).toEqual(
      [
        'id',
        'username',
        'email',
        'fullName',
        'phone',
        'country',
        'defaultCurrency',
        'isAdmin',
        'merchantData',
        'adminId',
        'createdAt',
      ].sort(),
    );
    const signedIn = { ok: true, user, endsInSeconds: 1800, pinRecent: true, tier: 'unverified', isOnlyAdmin: false };
    expect(await identity.check([{ token }])).toEqual([{ ...signedIn, factorRecent: false }]);
  });

  test('refuses a known email ignoring case, even twenty times at once', async () => {
    await identity.register({ email: 'taken@example.com' });
    expect(await identity.register({ email: 'TAKEN@example.com' })).toMatchObject({ status: 409, code: 'email_taken' });
    const racing = await Promise.all(
      Array.from({ length: 20 }, () => identity.register({ email: 'race@example.com' })),
    );
    expect(racing.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
  });

  test.each(['0000', '1111', '1234', '4321', '1212', '7788', '1987', '2024', '2580', '1397', '2112', '1004', '7890'])(
    'refuses the trivial PIN %s',
    async (pin) => {
      expect(await identity.register({ pin })).toMatchObject({ status: 400, code: 'validation_failed' });
    },
  );
});

describe('signing in', () => {
  test('with a wrong email and with a wrong PIN gives the same answer', async () => {
    const { user } = await identity.register();
    const wrongPin = await signIn(user.email, '9753');
    const wrongEmail = await signIn('nobody@example.com', '9753');
    expect(wrongPin).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect({ ...wrongEmail.body, requestId: '' }).toEqual({ ...wrongPin.body, requestId: '' });
  });

  test('is locked for 15 minutes after the third wrong PIN, even with the right one, and then for twice as long', async () => {
    const { user } = await identity.register();
    const wrong = async () => (await signIn(user.email, '9753')).status;
    expect([await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 401]);
    const locked = await signIn(user.email, '1357');
    expect(locked).toMatchObject({ status: 429, retryAfter: '900', body: { code: 'too_many_attempts' } });
    identity.clock.advance(15 * MINUTE_MS);
    expect([await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 401]);
    expect((await signIn(user.email, '1357')).retryAfter).toBe('1800');
    identity.clock.advance(30 * MINUTE_MS);
    expect((await signIn(user.email, '1357')).status).toBe(200);
    expect([await wrong(), await wrong(), (await signIn(user.email, '1357')).status]).toEqual([401, 401, 200]);
  });

  test('locks an unknown email in the same way, so that locks reveal nothing', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++) statuses.push((await signIn('ghost@example.com', '9753')).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  test('checks only three of 40 concurrent wrong PINs', async () => {
    const { user } = await identity.register();
    const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(user.email, '9753')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(37);
  });

  test('accepts eight concurrent right PINs', async () => {
    const { user } = await identity.register();
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(user.email, '1357')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});

test('a PIN refused under overload does not count as wrong', async () => {
  const hasher = createPinHasher(PEPPERS, { maxAtOnce: 1 });
  const busy = await createIdentity({ hasher });
  const { user } = await busy.register();
  const { promise, resolve } = Promise.withResolvers<void>();
  const others = hasher.admit(() => promise);
  const signInThere = () => busy.send('POST', '/internal/login', { username: user.email, pin: '1357' });
  for (let time = 0; time < 3; time++) expect((await signInThere()).status).toBe(503);
  resolve();
  await others;
  const attempts = await busy.db.selectFrom('users').select(['pin_failed_attempts', 'pin_lock_level']).execute();
  expect(attempts).toEqual([{ pin_failed_attempts: 0, pin_lock_level: 0 }]);
  expect((await signInThere()).status).toBe(200);
  await busy.stop();
});

test('a flood of registrations leaves sign-ins their places', async () => {
  const hasher = createPinHasher(PEPPERS, { maxAtOnce: 4 });
  const busy = await createIdentity({ hasher });
  const { user } = await busy.register();
  const { promise, resolve } = Promise.withResolvers<void>();
  const others = hasher.admitRegistration(() => promise);
  expect((await busy.register()).status).toBe(503);
  const signedIn = await busy.send('POST', '/internal/login', { username: user.email, pin: '1357' });
  expect(signedIn.status).toBe(200);
  resolve();
  await others;
  expect((await busy.register()).status).toBe(201);
  await busy.stop();
});

test('attempts with unknown emails are deleted after two days', async () => {
  await signIn('nobody-old@example.com', '2468');
  const count = async () => (await identity.db.selectFrom('stranger_sign_ins').selectAll().execute()).length;
  const before = await count();
  expect(before).toBeGreaterThan(0);
  await pruneStrangerSignIns(identity.db, new Date(identity.clock.now().getTime() + 47 * 60 * MINUTE_MS));
  expect(await count()).toBe(before);
  await pruneStrangerSignIns(identity.db, new Date(identity.clock.now().getTime() + 49 * 60 * MINUTE_MS));
  expect(await count()).toBe(0);
});

test('late or repeated settings do not replace newer ones', async () => {
  const saved = (at: string, maxPinAttempts: number) =>
    ({ envelope: { id: at, time: at, data: { ...SETTINGS, maxPinAttempts } } }) as unknown as Delivery;
  const inForce = async () =>
    (await identity.db.selectFrom('settings').select('max_pin_attempts').executeTakeFirst())?.max_pin_attempts;
  const [older, newer] = [saved('2026-01-05T10:00:00.000Z', 4), saved('2026-01-05T10:00:01.000Z', 3)];
  await applySettings(identity.db, older);
  expect(await inForce()).toBe(4);
  for (const delivery of [newer, older, older]) await applySettings(identity.db, delivery);
  expect(await inForce()).toBe(3);
});

describe('one PIN tried on many accounts', () => {
  const PIN = '8642';
  const spray = (count: number, group: string) =>
    Promise.all(Array.from({ length: count }, (_, account) => signIn(`${group}${account}@example.com`, PIN)));

  test('raises one alarm at the tenth account, without the PIN', async () => {
    await spray(9, 'sprayed');
    await spray(9, 'sprayed');
    expect(identity.alarms).toEqual([]);
    await spray(4, 'more');
    expect(identity.alarms).toEqual([{ accounts: 10, windowMinutes: 10 }]);
  });

  test('delays only sign-ins with that PIN, right or wrong, until the window ends', async () => {
    const { user } = await identity.register({ pin: PIN });
    const before = identity.pausesMs.length;
    expect((await signIn(user.email, PIN)).status).toBe(200);
    await spray(1, 'late');
    expect(identity.pausesMs.slice(before)).toEqual([2_000, 2_000]);
    const other = await identity.register();
    expect((await signIn(other.user.email, '1357')).status).toBe(200);
    identity.clock.advance(10 * MINUTE_MS);
    expect((await signIn(user.email, PIN)).status).toBe(200);
    expect(identity.pausesMs).toHaveLength(before + 2);
  });

  test('delays at most fifty sign-ins and refuses the next', async () => {
    const waiting: (() => void)[] = [];
    const watch = createSprayingWatch({
      onSpraying: () => undefined,
      pause: () => new Promise<void>((resolve) => waiting.push(resolve)),
    });
    for (let account = 0; account < 10; account++) watch.wrong(PIN, `${account}@example.com`);
    const slowed = Array.from({ length: 50 }, () => watch.slowDown(PIN));
    await expect(watch.slowDown(PIN)).rejects.toMatchObject({ code: 'rate_limited' });
    for (const resume of waiting) resume();
    await Promise.all(slowed);
  });
});

describe('a session', () => {
  test('checks a PIN in the same call, counts wrong ones apart from sign-ins, and locks all', async () => {
    const { user, token, device } = await identity.register();
    expect(await identity.check([{ token, pin: '1357' }])).toMatchObject([{ ok: true }]);
    expect(await identity.check([{ token, pin: '9753' }])).toEqual([
      { ok: false, code: 'invalid_pin', attemptsLeft: 2 },
    ]);
    expect((await signIn(user.email, '9753', { device })).status).toBe(401);
    for (const attemptsLeft of [1, 0]) {
      expect(await identity.check([{ token, pin: '9753' }])).toEqual([
        { ok: false, code: 'invalid_pin', attemptsLeft },
      ]);
    }
    expect(await identity.check([{ token, pin: '1357' }])).toEqual([
      { ok: false, code: 'too_many_attempts', retryAfterSeconds: 900 },
    ]);
    expect((await signIn(user.email, '1357')).status).toBe(429);
    expect((await signIn(user.email, '1357', { device })).status).toBe(429);
  });

  test('ends after thirty wrong PINs in all, however many right ones come between', async () => {
    const { token } = await identity.register();
    for (let round = 0; round < 15; round++) {
      expect(await identity.check([{ token, pin: '1357' }])).toMatchObject([{ ok: true }]);
      await identity.check([{ token, pin: '9753' }]);
      await identity.check([{ token, pin: '9753' }]);
    }
    expect(await identity.check([{ token, pin: '1357' }])).toEqual([{ ok: false, code: 'unauthenticated' }]);
  });

  test('also counts the wrong PINs of a PIN change', async () => {
    const { user, token } = await identity.register();
    const caller = { ...admin, userId: user.id, isAdmin: false };
    const change = { token, currentPin: '9753', newPin: '8642' };
    for (let round = 0; round < 15; round++) {
      expect(await identity.check([{ token, pin: '1357' }])).toMatchObject([{ ok: true }]);
      for (const _ of 'ab')
        expect((await identity.send('POST', '/internal/change-pin', change, caller)).status).toBe(401);
    }
    expect(await identity.check([{ token, pin: '1357' }])).toEqual([{ ok: false, code: 'unauthenticated' }]);
  });

  test('ends a day after signing in, however much it is used', async () => {
    const { token } = await identity.register();
    const minutesOf = async () => {
      identity.clock.advance(20 * MINUTE_MS);
      const [result] = await identity.check([{ token }]);
      return result.ok ? result.endsInSeconds / 60 : undefined;
    };
    for (let third = 1; third < 70; third++) expect(await minutesOf()).toBe(30);
    expect([await minutesOf(), await minutesOf(), await minutesOf()]).toEqual([30, 20, 0]);
    expect(await minutesOf()).toBeUndefined();
  });

  test('of a clock that was ahead goes on when the clock is set right, for no longer than one that begins then', async () => {
    const { token } = await identity.register();
    const right = identity.clock.now();
    identity.clock.advance(300 * 24 * 60 * MINUTE_MS);
    const ahead = await identity.register();
    const unused = await identity.register();
    identity.clock.set(right);
    await correctTimesAhead(identity.db, right);
    const ok = async (one: { token: string }) => (await identity.check([one]))[0].ok;
    expect([await ok({ token }), await ok(ahead), await ok(unused)]).toEqual([true, true, true]);
    for (let minute = 0; minute < 24 * 60; minute += 20) {
      identity.clock.advance(20 * MINUTE_MS);
      expect(await ok(ahead)).toBe(true);
      if (minute === 20) expect(await ok(unused)).toBe(false);
    }
    identity.clock.advance(MINUTE_MS);
    expect(await ok(ahead)).toBe(false);
  });

  test('checks only three of 200 wrong PINs in parallel batches', async () => {
    const { token } = await identity.register();
    const batches = await Promise.all(
      Array.from({ length: 10 }, () => identity.check(Array.from({ length: 20 }, () => ({ token, pin: '9753' })))),
    );
    const codes = batches.flat().map((result: { code: string }) => result.code);
    expect(codes.filter((code) => code === 'invalid_pin')).toHaveLength(3);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(197);
  });

  test('a right PIN resets the count', async () => {
    const { token } = await identity.register();
    for (let round = 0; round < 3; round++) {
      await identity.check([
        { token, pin: '9753' },
        { token, pin: '9753' },
      ]);
      expect(await identity.check([{ token, pin: '1357' }])).toMatchObject([{ ok: true }]);
    }
  });

  test('ends after the idle time, which a person extends and a background request does not', async () => {
    const { token } = await identity.register();
    const ok = async (keepAlive: boolean) => (await identity.check([{ token, keepAlive }]))[0].ok;
    identity.clock.advance(20 * MINUTE_MS);
    expect(await ok(true)).toBe(true);
    identity.clock.advance(20 * MINUTE_MS);
    expect(await ok(false)).toBe(true);
    identity.clock.advance(20 * MINUTE_MS);
    expect(await ok(false)).toBe(false);
  });

  test('reports how long it lasts without use, and only use extends it', async () => {
    const { token } = await identity.register();
    const left = async (keepAlive: boolean) => (await identity.check([{ token, keepAlive }]))[0].endsInSeconds;
    identity.clock.advance(10 * MINUTE_MS);
    expect(await left(false)).toBe(20 * 60);
    expect(await left(true)).toBe(30 * 60);
    // The last use is written at most once a minute, and the answer matches what is written.
    identity.clock.advance(30_000);
    expect(await left(true)).toBe(30 * 60 - 30);
    identity.clock.advance(31_000);
    expect(await left(true)).toBe(30 * 60);
  });

  test('is deleted on the server after signing out, and a guessed id is refused', async () => {
    const { token } = await identity.register();
    await identity.send('POST', '/internal/logout', { token });
    expect(await identity.check([{ token }, { token: 'x'.repeat(43) }, { token: '' }])).toEqual(
      Array(3).fill({ ok: false, code: 'unauthenticated' }),
    );
  });

  test('ends at once with a block: reads are signed out, sending gets the reason, sign-in is refused', async () => {
    const { user, token } = await identity.register();
    const toggle = () => identity.send('POST', `/internal/merchants/${user.id}/toggle-block`, {}, admin);
    expect((await toggle()).body).toMatchObject({ id: user.id, isBlocked: true });
    expect(await identity.check([{ token }, { token, pin: '1357' }])).toEqual([
      { ok: false, code: 'unauthenticated' },
      { ok: false, code: 'account_blocked' },
    ]);
    expect(await signIn(user.email, '1357')).toMatchObject({ status: 403, body: { code: 'account_blocked' } });
    expect((await toggle()).body).toMatchObject({ isBlocked: false });
    expect(await identity.check([{ token }, { token, pin: '1357' }])).toEqual(
      Array(2).fill({ ok: false, code: 'unauthenticated' }),
    );
    expect((await signIn(user.email, '1357')).status).toBe(200);
  });

  test('a changed PIN ends every other session, and the old PIN', async () => {
    const { user, token } = await identity.register();
    const other = (await signIn(user.email, '1357')).body.token;
    const caller = { ...admin, userId: user.id, isAdmin: false };
    const change = (currentPin: string, newPin: string) =>
      identity.send('POST', '/internal/change-pin', { token, currentPin, newPin }, caller);
    expect(await change('9753', '8642')).toMatchObject({ status: 401, body: { code: 'invalid_pin' } });
    expect(await change('1357', '2222')).toMatchObject({ status: 400 });
    expect((await change('1357', '8642')).status).toBe(200);
    expect(await identity.check([{ token, pin: '8642' }, { token: other }])).toMatchObject([
      { ok: true },
      { ok: false, code: 'unauthenticated' },
    ]);
    expect((await signIn(user.email, '1357')).status).toBe(401);
    expect((await signIn(user.email, '8642')).status).toBe(200);
  });

  test('a changed PIN makes the other devices of the account unknown, not the one in use', async () => {
    const { user, token, device } = await identity.register();
    const other = (await signIn(user.email, '1357')).body.device;
    const caller = { ...admin, userId: user.id, isAdmin: false };
    const change = { token, currentPin: '1357', newPin: '8642' };
    expect((await identity.send('POST', '/internal/change-pin', change, caller)).status).toBe(200);
    for (let guess = 0; guess < 3; guess++) await signIn(user.email, '9753');
    expect((await signIn(user.email, '8642', { device: other })).status).toBe(429);
    expect((await signIn(user.email, '8642', { device })).status).toBe(200);
  });

  test('a PIN change repeated under the same key succeeds again, and does not lock the account', async () => {
    const { user, token } = await identity.register();
    const caller = { ...admin, userId: user.id, isAdmin: false };
    const change = (newPin: string, key: string, currentPin = '1357') =>
      identity.ask({
        method: 'POST',
        url: '/internal/change-pin',
        payload: { token, currentPin, newPin },
        caller,
        key,
      });
    const together = await Promise.all([change('8642', 'change-1'), change('8642', 'change-1')]);
    expect(together.map(({ status }) => status)).toEqual([200, 200]);
    for (let repeat = 0; repeat < 10; repeat++) expect((await change('8642', 'change-1')).status).toBe(200);
    expect(await change('9753', 'change-1')).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    expect((await change('8642', 'change-1', '2468')).status).toBe(409);
    expect(await change('9753', 'change-2')).toMatchObject({ status: 401, body: { code: 'invalid_pin' } });
    expect((await change('9753', 'change-3', '8642')).status).toBe(200);
    expect((await change('8642', 'change-1')).status).toBe(409);
    expect(await identity.check([{ token, pin: '9753' }])).toMatchObject([{ ok: true }]);
  });
});

describe('the database', () => {
  test('contains no PIN and no session id in any table', async () => {
    const { token } = await identity.register({ pin: '8025' });
    const { rows } = await identity.pool.query(
      'select (select json_agg(u) from users u)::text || (select json_agg(s) from sessions s)::text as everything',
    );
    expect(rows[0].everything).not.toContain(token);
    expect(rows[0].everything).not.toMatch(/"pin":"?8025/);
  });
});

describe('administration', () => {
  test('is refused to merchants and unauthenticated callers', async () => {
    const { user } = await identity.register();
    const merchant = { ...admin, userId: user.id, isAdmin: false };
    for (const [caller, status] of [
      [merchant, 403],
      [undefined, 401],
    ] as const) {
      expect((await identity.send('GET', '/internal/merchants', undefined, caller)).status).toBe(status);
      expect((await identity.send('POST', `/internal/merchants/${user.id}/toggle-block`, {}, caller)).status).toBe(
        status,
      );
    }
    expect((await identity.send('GET', '/internal/merchants', undefined, admin)).body.merchants[0]).toMatchObject({
      id: user.id,
    });
  });
});

/** An identity service in which something happens to the account after each PIN was checked, before the answer. */
async function createRacing(meanwhile: (racing: Identity, userId: string) => Promise<void>): Promise<Identity> {
  const hasher = createPinHasher(PEPPERS);
  const racing = await createIdentity({
    hasher: {
      ...hasher,
      async verify(...pin) {
        const isRight = await hasher.verify(...pin);
        await meanwhile(racing, pin[0]);
        return isRight;
      },
    },
  });
  onTestFinished(() => racing.stop());
  return racing;
}

test('an account that is blocked while its PIN is checked gets no session that would live on after the block', async () => {
  const racing = await createRacing(async ({ send }, userId) => {
    const block = `/internal/merchants/${userId}/toggle-block`;
    expect((await send('POST', block, { isBlocked: true }, admin)).status).toBe(200);
  });
  const { user } = await racing.register();
  const { status, body } = await racing.send('POST', '/internal/login', { username: user.email, pin: '1357' });
  expect([status, body.code]).toEqual([403, 'account_blocked']);
});

test('a sign-in with a PIN that is replaced while it is checked is refused, and its browser stays unknown', async () => {
  const racing = await createRacing(async ({ db }, userId) => {
    const replaced = db.updateTable('users').set((set) => ({ pin_version: set('pin_version', '+', 1) }));
    await replaced.where('id', '=', userId).execute();
  });
  const { user } = await racing.register();
  const devices = () => racing.db.selectFrom('devices').select('token_hash').where('user_id', '=', user.id).execute();
  const known = await devices();
  const { status, body } = await racing.send('POST', '/internal/login', { username: user.email, pin: '1357' });
  expect([status, body.code]).toEqual([401, 'invalid_credentials']);
  expect(await devices()).toEqual(known);
});

test('right PINs that a full disk keeps from opening a session do not lock the account', async () => {
  const { user } = await identity.register();
  await identity.pool.query(`
    create function disk_full() returns trigger language plpgsql as $$
    begin raise 'could not extend file' using errcode = '53100'; end $$;
    create trigger disk_full before insert on sessions for each row execute function disk_full()`);
  for (let tries = 0; tries < 6; tries++) expect((await signIn(user.email, '1357')).status).toBe(503);
  await identity.pool.query('drop trigger disk_full on sessions; drop function disk_full()');
  expect((await signIn(user.email, '1357')).status).toBe(200);
});
