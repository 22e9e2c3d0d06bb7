import { randomUUID } from 'node:crypto';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { admin, createIdentity, PEPPERS } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity.stop());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const [RIGHT, WRONG] = ['1357', '9753'];
const HOME = '203.0.113.7';

async function signIn(username: string, pin: string, browser: { address?: string; device?: string | undefined } = {}) {
  const from = { address: HOME, userAgent: 'Firefox', ...browser };
  const { status, body } = await identity.send('POST', '/internal/login', { username, pin, browser: from });
  return { status, device: body.device as string | undefined };
}
const guess = async (email: string, times: number, browser = {}) => {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) statuses.push((await signIn(email, WRONG, browser)).status);
  return statuses;
};

describe('wrong PINs of strangers', () => {
  test('lock neither the owner’s session nor a sign-in from the owner’s device', async () => {
    const { user, token, device } = await identity.register();
    expect(await guess(user.email, 4, { address: '198.51.100.1' })).toEqual([401, 401, 401, 429]);
    expect(await identity.check([{ token, pin: RIGHT }])).toMatchObject([{ ok: true }]);
    expect((await signIn(user.email, RIGHT, { device, address: '198.51.100.1' })).status).toBe(200);
  });

  test('lock their own address only, until there are twelve from all addresses', async () => {
    const { user } = await identity.register();
    for (const host of [1, 2, 3, 4])
      expect(await guess(user.email, 3, { address: `198.51.100.${host}` })).toEqual([401, 401, 401]);
    expect((await signIn(user.email, RIGHT)).status).toBe(429);
    identity.clock.advance(15 * MINUTE_MS);
    expect((await signIn(user.email, RIGHT)).status).toBe(200);
  });

  test('stay counted after a right PIN from another address', async () => {
    const { user } = await identity.register();
    for (const host of [1, 2, 3]) await guess(user.email, 3, { address: `198.51.100.${host}` });
    expect(await guess(user.email, 2)).toEqual([401, 401]);
    expect((await signIn(user.email, RIGHT)).status).toBe(200);
    await guess(user.email, 3, { address: '198.51.100.4' });
    expect(await guess(user.email, 1, { address: '198.51.100.5' })).toEqual([429]);
  });

  test('do not keep a right PIN from resetting the count of the account', async () => {
    const { user, token } = await identity.register();
    for (let round = 0; round < 2; round++) {
      for (let time = 0; time < 2; time++) await identity.check([{ token, pin: WRONG }]);
      expect((await signIn(user.email, RIGHT)).status).toBe(200);
    }
    expect(await identity.check([{ token, pin: RIGHT }])).toMatchObject([{ ok: true }]);
  });

  test('are counted per /56 of IPv6, in which one person has any number of addresses', async () => {
    const { user } = await identity.register();
    const statuses: number[] = [];
    for (const host of [1, 2, 3, 4])
      statuses.push(...(await guess(user.email, 1, { address: `2001:db8:0:${host}::1` })));
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  test('are ended by an administrator, who sees the lock', async () => {
    const { user } = await identity.register();
    await guess(user.email, 3);
    const seen = await identity.send('GET', `/internal/merchants/${user.id}`, undefined, admin);
    expect(seen.body.lockedUntil).toBe(new Date(identity.clock.now().getTime() + 15 * MINUTE_MS).toISOString());
    const unlocked = await identity.send('POST', `/internal/merchants/${user.id}/unlock`, {}, admin);
    expect(unlocked).toMatchObject({ status: 200, body: { lockedUntil: null } });
    expect((await signIn(user.email, RIGHT)).status).toBe(200);
  });

  test('and their locks are logged with account and address, and counted for the alerts', async () => {
    const { user } = await identity.register();
    identity.wrongPins.length = 0;
    await guess(user.email, 4);
    const wrong = { door: 'stranger', locks: false, userId: user.id, address: expect.any(String) };
    expect(identity.wrongPins).toEqual([wrong, wrong, { ...wrong, locks: true }]);
  });
});

describe('wrong PINs of a network', () => {
  let quick: Awaited<ReturnType<typeof createIdentity>>;
  beforeAll(async () => {
    const hasher = { ...createPinHasher(PEPPERS), pretend: async () => false as const };
    quick = await createIdentity({ hasher });
  });
  afterAll(() => quick.stop());

  const signInFrom = (address: string, username: string, pin: string, device?: string) =>
    quick.send('POST', '/internal/login', { username, pin, browser: { address, userAgent: '', device } });
  /** One guess for each of so many emails, all at once, from as many addresses: how many were judged and refused. */
  const spray = async (count: number, network: string) => {
    const guesses = Array.from({ length: count }, (_, host) =>
      signInFrom(`${network}${host}`, `${randomUUID()}@example.com`, WRONG),
    );
    const answers = await Promise.all(guesses);
    return [401, 429].map((status) => answers.filter((answer) => answer.status === status).length);
  };

  test('are a hundred an hour and three hundred a day over all emails, also at once', async () => {
    const network = '2001:db8:7::';
    for (const hour of [1, 2, 3]) {
      expect([hour, await spray(105, network)]).toEqual([hour, [100, 5]]);
      quick.clock.advance(HOUR_MS);
    }
    expect(await spray(2, network)).toEqual([0, 2]);
    expect(await spray(2, '2001:db8:8::')).toEqual([2, 0]);
    quick.clock.advance(21 * HOUR_MS);
    expect(await spray(2, network)).toEqual([2, 0]);
  });

  test('are four hundred an hour from all blocks of an IPv6 site, which anybody can have for free', async () => {
    for (const block of ['100', '200', '300', '400'])
      expect([block, await spray(100, `2001:db8:b:${block}::`)]).toEqual([block, [100, 0]]);
    expect(await spray(2, '2001:db8:b:500::')).toEqual([0, 2]);
    expect(await spray(2, '2001:db8:c:100::')).toEqual([2, 0]);
  });

  test('end its sign-ins on unknown devices, alike with and without an account, and right ones do not count', async () => {
    const { user, device } = await quick.register();
    const network = '2001:db8:9::';
    expect(await spray(99, network)).toEqual([99, 0]);
    for (let time = 0; time < 3; time++) expect((await signInFrom(network, user.email, RIGHT)).status).toBe(200);
    expect(await spray(2, network)).toEqual([1, 1]);
    const right = await signInFrom(network, user.email, RIGHT);
    expect(right).toMatchObject({ status: 429, retryAfter: '3600', body: { code: 'rate_limited' } });
    for (const username of [user.email, 'nobody@example.com']) {
      const { body } = await signInFrom(network, username, WRONG);
      expect(body).toEqual({ ...right.body, requestId: body.requestId });
    }
    expect((await signInFrom(network, user.email, RIGHT, device)).status).toBe(200);
  });

  test('do not add up if others sign in: a right one takes back three, once a day for each verified number', async () => {
    const network = '2001:db8:a::';
    const phoneNumber = '+254733000001';
    const amina = (await quick.register({ phoneNumber })).user;
    const [baraka, unverified] = [(await quick.register()).user, (await quick.register()).user];
    const heir = (await quick.register({ phoneNumber })).user;
    const verify = (ids: string[], at: Date | null) =>
      quick.db.updateTable('users').set({ phone_verified_at: at }).where('id', 'in', ids).execute();
    /** How many of five guesses are judged after these sign-ins. */
    const room = async (users: { email: string }[]) => {
      for (const { email } of users) expect((await signInFrom(network, email, RIGHT)).status).toBe(200);
      return (await spray(5, network))[0];
    };
    await verify([amina.id, baraka.id], quick.clock.now());
    expect(await spray(99, network)).toEqual([99, 0]);
    expect(await room([unverified, amina, amina])).toBe(4);
    quick.clock.advance(HOUR_MS);
    await verify([amina.id], null);
    await verify([heir.id], quick.clock.now());
    expect(await spray(99, network)).toEqual([99, 0]);
    expect(await room([heir, baraka])).toBe(4);
    quick.clock.advance(24 * HOUR_MS);
    expect(await spray(99, network)).toEqual([99, 0]);
    expect(await room([heir, baraka])).toBe(5);
  });
});

test('a sign-in asks the database as often with and without an account, so that its time says nothing', async () => {
  const { user } = await identity.register();
  const { device } = await identity.register();
  const statements = new Set<{ mock: { calls: unknown[] } }>();
  const watch = (client: object) => statements.add(vi.spyOn(client as { query: () => unknown }, 'query'));
  identity.pool.on('acquire', watch);
  onTestFinished(() => {
    identity.pool.off('acquire', watch);
    vi.restoreAllMocks();
  });
  const askedBy = async (email: string) => {
    const counts: number[] = [];
    for (let time = 0; time < 5; time++) {
      vi.clearAllMocks();
      await guess(email, 1, { device });
      counts.push([...statements].reduce((sum, { mock }) => sum + mock.calls.length, 0));
    }
    return counts;
  };
  const known = await askedBy(user.email);
  expect(known.every((count) => count > 0)).toBe(true);
  expect(await askedBy('nobody-here@example.com')).toEqual(known);
});

describe('a device', () => {
  test('is known after a sign-in, keeps its cookie, and serves several users', async () => {
    const { user, device } = await identity.register();
    const other = await identity.register();
    expect(device).toMatch(/^[\w-]{43}$/);
    expect((await signIn(user.email, RIGHT, { device })).device).toBeUndefined();
    expect((await signIn(other.user.email, RIGHT, { device })).device).toBeUndefined();
    await guess(other.user.email, 3, { address: HOME });
    expect((await signIn(other.user.email, RIGHT, { device })).status).toBe(200);
  });

  test('with a cookie that was never issued gets a new one', async () => {
    const { user } = await identity.register();
    const planted = 'x'.repeat(43);
    expect((await signIn(user.email, RIGHT, { device: planted })).device).toMatch(/^(?!x{43})[\w-]{43}$/);
  });

  test('that was used before stays known, however often the account is signed in to without a cookie', async () => {
    const { user, device } = await identity.register();
    const next = (browser = {}) => {
      identity.clock.advance(1_000);
      return signIn(user.email, RIGHT, browser);
    };
    await next({ device });
    const first = await next();
    identity.clock.advance(100_000);
    await identity.pool.query(
      `insert into devices (user_id, token_hash, created_at, last_seen_at)
       select $1::uuid, decode(md5($1::text || n), 'hex'), seen, seen
       from generate_series(1, 60) n, make_interval(secs => n) ago, lateral (select $2::timestamptz - ago) as at (seen)`,
      [user.id, identity.clock.now()],
    );
    const last = await next();
    const { rows } = await identity.pool.query('select from devices where user_id = $1', [user.id]);
    expect(rows).toHaveLength(50);
    const known = async (cookie?: string) => (await next({ device: cookie })).device === undefined;
    expect([await known(device), await known(last.device), await known(first.device)]).toEqual([true, true, false]);
  });

  test('that an account once used locks out only itself', async () => {
    const { user, token, device } = await identity.register();
    const own = (await signIn(user.email, RIGHT)).device;
    expect(await guess(user.email, 4, { device })).toEqual([401, 401, 401, 429]);
    expect(await identity.check([{ token, pin: RIGHT }])).toMatchObject([{ ok: true }]);
    expect((await signIn(user.email, RIGHT, { device: own })).status).toBe(200);
    expect((await signIn(user.email, RIGHT)).status).toBe(200);
    expect((await signIn(user.email, RIGHT, { device })).status).toBe(429);
    identity.clock.advance(15 * MINUTE_MS);
    expect(await guess(user.email, 2, { device })).toEqual([401, 401]);
    expect((await signIn(user.email, RIGHT, { device })).status).toBe(200);
    expect(await guess(user.email, 2, { device })).toEqual([401, 401]);
  });

  test('of another user does not make an account’s sign-ins known', async () => {
    const { user } = await identity.register();
    const { device } = await identity.register();
    expect(await guess(user.email, 4, { device })).toEqual([401, 401, 401, 429]);
  });
});

test('a stranger’s delayed sign-ins do not delay the owner’s', async () => {
  const delay = Promise.withResolvers<void>();
  const other = await createIdentity({ slowDown: () => delay.promise });
  const tryPin = (username: string, pin: string) => other.send('POST', '/internal/login', { username, pin });
  const { user } = await other.register();
  for (let account = 0; account < 10; account++) await tryPin(`account${account}@example.com`, WRONG);
  const delayed = Array.from({ length: 20 }, () => tryPin(user.email, WRONG));
  await until(() => other.pausesMs.length === 20, { what: 'the sign-ins are delayed' });
  expect((await tryPin(user.email, RIGHT)).status).toBe(200);
  delay.resolve();
  expect((await Promise.all(delayed)).filter(({ status }) => status === 401)).toHaveLength(3);
  await other.stop();
});

test('a device is known for the accounts that have signed in on it, however their email is written', async () => {
  const [own, other] = [await identity.register(), await identity.register()];
  const items = [
    { username: own.user.email.toUpperCase(), device: own.device },
    { username: own.user.email, device: other.device },
    { username: own.user.email, device: 'x'.repeat(43) },
    { username: 'nobody@example.com', device: own.device },
    { username: other.user.email, device: other.device },
  ];
  const { body } = await identity.send('POST', '/internal/devices/check-batch', { items });
  expect(body.results).toEqual([true, false, false, false, true]);
});
