import { CODE_ISSUED, PHONE_LOST, PIN_CHANGED } from '@vuka/contracts/messages/identity';
import { listMessages } from '@vuka/service-kit/outbox';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admin, createIdentity } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity.stop());

const MINUTE_MS = 60_000;
const callerOf = (userId: string) => ({ ...admin, userId, isAdmin: false, adminId: null });
type Channel = 'phone' | 'email';

const read = async (userId: string) =>
  (await identity.send('GET', '/internal/verification', undefined, callerOf(userId))).body;
const send = (userId: string, channel: Channel, address = `${userId}, an address of its own`) =>
  identity.send('POST', `/internal/verification/${channel}/send`, {}, { ...callerOf(userId), address });
const enter = (userId: string, channel: Channel, code: string) =>
  identity.send('POST', `/internal/verification/${channel}/confirm`, { code }, callerOf(userId));
const lookUp = async (phone: string) =>
  (await identity.send('POST', '/internal/recipients-batch', { items: [{ phone }] })).body.results[0];
const ask = async (username: string) => (await identity.send('POST', '/internal/pin-reset', { username })).body;
const confirm = (form: object) => identity.send('POST', '/internal/pin-reset/confirm', form);
const codesOf = async (userId: string) => {
  const codes = identity.db.selectFrom('one_time_codes').where('user_id', '=', userId);
  return (await codes.where('purpose', '=', 'reset_pin').select('id').execute()).length;
};
const signIn = async (username: string, pin: string) =>
  (await identity.send('POST', '/internal/login', { username, pin })).status;
const other = (code: string) => code.replace(/./, (digit) => String((Number(digit) + 1) % 10));

async function verify(userId: string, channel: Channel): Promise<void> {
  const { body } = await send(userId, channel);
  expect((await enter(userId, channel, body.demoCode)).status).toBe(200);
}

/** A merchant who can reset the PIN. */
async function verified() {
  const merchant = await identity.register();
  await verify(merchant.user.id, 'phone');
  await verify(merchant.user.id, 'email');
  return merchant;
}

/** The parts of the link and of the SMS. */
function partsOf({ id, demo }: { id: string; demo: { link: string; code: string } }) {
  return { id, token: new URLSearchParams(demo.link.split('#')[1]).get('token') ?? '', code: demo.code };
}

/** The messages that tell a user of a lost number. */
const lossesOf = async (userId: string) =>
  (await listMessages(identity.db))
    .filter(({ envelope }) => envelope.type === PHONE_LOST && envelope.subject === userId)
    .map(({ envelope }) => envelope.data);

describe('a number', () => {
  test('belongs to a merchant only after the code sent to it was entered', async () => {
    const { user } = await identity.register();
    const { body } = await send(user.id, 'phone');
    expect(body.sentTo).toBe(user.phone);
    expect(await lookUp(user.phone)).toBeNull();
    expect((await enter(user.id, 'phone', other(body.demoCode))).body.issues[0].path).toBe('code');
    expect((await enter(user.id, 'phone', body.demoCode)).status).toBe(200);
    expect(await lookUp(user.phone)).toEqual({ userId: user.id, name: user.fullName, tier: 'unverified' });
    expect(await read(user.id)).toEqual({
      phone: { value: user.phone, isVerified: true },
      email: { value: user.email, isVerified: false },
    });
  });

  test('is the same number in any spelling', async () => {
    const { user } = await identity.register({ phoneNumber: '0799000001', country: 'Kenya' });
    await verify(user.id, 'phone');
    expect(await lookUp('+254799000001')).toEqual({ userId: user.id, name: user.fullName, tier: 'unverified' });
    expect(await lookUp('+255799000001')).toBeNull();
  });

  test('goes to the account that proves it last, and is paid as a phone while its holder is blocked', async () => {
    const [first, second] = [await identity.register(), await identity.register()];
    await identity.db
      .updateTable('users')
      .set({ phone_e164: first.user.phone })
      .where('id', '=', second.user.id)
      .execute();
    await verify(first.user.id, 'phone');
    identity.clock.advance(MINUTE_MS);
    await verify(second.user.id, 'phone');
    expect(await lookUp(first.user.phone)).toMatchObject({ userId: second.user.id });
    expect(await lossesOf(first.user.id)).toEqual([{ userId: first.user.id, at: identity.clock.now().toISOString() }]);
    await identity.send('POST', `/internal/merchants/${second.user.id}/toggle-block`, {}, admin);
    expect(await lookUp(first.user.phone)).toBeNull();
    identity.clock.advance(MINUTE_MS);
    const { body } = await send(first.user.id, 'phone');
    expect((await enter(first.user.id, 'phone', body.demoCode)).body.error).toContain('blocked');
    expect(await lookUp(first.user.phone)).toBeNull();
    expect(await lossesOf(second.user.id)).toEqual([]);
  });
});

describe('a code', () => {
  test('is void after five wrong entries, after ten minutes, after its use, and when a newer one was sent', async () => {
    const { user } = await identity.register();
    const first = (await send(user.id, 'email')).body.demoCode;
    for (let entry = 0; entry < 5; entry++) await enter(user.id, 'email', other(first));
    expect((await enter(user.id, 'email', first)).body.error).toContain('expired');
    identity.clock.advance(MINUTE_MS);
    const second = (await send(user.id, 'email')).body.demoCode;
    identity.clock.advance(10 * MINUTE_MS);
    expect((await enter(user.id, 'email', second)).body.error).toContain('expired');
    const third = (await send(user.id, 'email')).body.demoCode;
    identity.clock.advance(MINUTE_MS);
    const fourth = (await send(user.id, 'email')).body.demoCode;
    expect((await enter(user.id, 'email', third)).status).toBe(400);
    expect((await enter(user.id, 'email', fourth)).status).toBe(200);
    expect((await enter(user.id, 'email', fourth)).status).toBe(400);
  });

  test('is sent six times a day to an account, and eighteen times to a number that many accounts claim', async () => {
    const { user } = await identity.register();
    /** How many of seven requests by another account that claims the number are granted. */
    const claim = async () => {
      const other = await identity.register();
      await identity.db.updateTable('users').set({ phone_e164: user.phone }).where('id', '=', other.user.id).execute();
      return sendOften(other.user.id);
    };
    const sendOften = async (userId: string) => {
      let granted = 0;
      for (let minute = 0; minute < 7; minute++) {
        if ((await send(userId, 'phone')).status === 200) granted += 1;
        identity.clock.advance(MINUTE_MS);
      }
      return granted;
    };
    expect(await claim()).toBe(6);
    expect(await sendOften(user.id)).toBe(6);
    expect([await claim(), await claim()]).toEqual([6, 0]);
  });

  test('is sent once a minute', async () => {
    const quick = await identity.register();
    await send(quick.user.id, 'phone');
    expect(await send(quick.user.id, 'phone')).toMatchObject({ status: 429, retryAfter: '60' });
  });

  test('that replaces a PIN or closes an account is sent however many strangers claim the number', async () => {
    const { user } = await verified();
    for (let claim = 0; claim < 7; claim++) {
      const stranger = await identity.register();
      await identity.db
        .updateTable('users')
        .set({ phone_e164: user.phone })
        .where('id', '=', stranger.user.id)
        .execute();
      await send(stranger.user.id, 'phone');
    }
    expect((await ask(user.email)).demo).toBeDefined();
    expect((await identity.send('POST', '/internal/accounts/close-code', {}, callerOf(user.id))).status).toBe(200);
  });

  test('is guessed five times in all by two hundred entries at once', async () => {
    const { user } = await identity.register();
    const { demoCode } = (await send(user.id, 'phone')).body;
    const answers = await Promise.all(Array.from({ length: 200 }, () => enter(user.id, 'phone', other(demoCode))));
    const errors = answers.map(({ body }) => body.error as string);
    expect(errors.filter((error) => error.includes('not right'))).toHaveLength(5);
  });

  test('is in no table and no message', async () => {
    const { user } = await identity.register();
    const { demoCode } = (await send(user.id, 'phone')).body;
    const { rows } = await identity.pool.query('select json_agg(c)::text as text from one_time_codes c');
    const messages = (await listMessages(identity.db)).filter(({ envelope }) => envelope.type === CODE_ISSUED);
    expect(messages.length).toBeGreaterThan(0);
    expect(rows[0].text + JSON.stringify(messages)).not.toContain(`"${demoCode}"`);
  });
});

describe('a network', () => {
  const users = (count: number) => Promise.all(Array.from({ length: count }, () => identity.register()));
  const statusesFrom = async (address: string, accounts: { user: { id: string } }[]) =>
    (await Promise.all(accounts.map(({ user }) => send(user.id, 'phone', address)))).map(({ status }) => status);

  test('has codes sent to thirty unverified numbers an hour, however many accounts it registers', async () => {
    const accounts = await users(35);
    const statuses = await statusesFrom('192.0.2.80', accounts);
    expect([200, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([30, 5]);
    const [late] = await users(1);
    expect(await send(late?.user.id, 'phone', '192.0.2.80')).toMatchObject({ status: 429, retryAfter: '3600' });
    expect((await send(late?.user.id, 'email', '192.0.2.80')).status).toBe(200);
    expect((await send(late?.user.id, 'phone', '192.0.2.81')).status).toBe(200);
    identity.clock.advance(60 * MINUTE_MS);
    expect(await statusesFrom('192.0.2.80', await users(1))).toEqual([200]);
  });

  test('shares a hundred and twenty codes an hour with the other blocks of its IPv6 site', async () => {
    // Fewer at once than registrations may wait.
    const accounts = [...(await users(40)), ...(await users(40)), ...(await users(41))];
    const blocks = [0, 1, 2, 3].map((block) => accounts.slice(block * 30, block * 30 + 30));
    for (const [block, own] of blocks.entries())
      expect(new Set(await statusesFrom(`2001:db8:b:${block + 1}00::1`, own))).toEqual(new Set([200]));
    expect(await statusesFrom('2001:db8:b:500::1', accounts.slice(120))).toEqual([429]);
  });

  test('is an IPv6 prefix of 64 bits', async () => {
    const accounts = await users(31);
    const answers = accounts.map(({ user }, host) => send(user.id, 'phone', `2001:db8:1:2::${host}`));
    expect((await Promise.all(answers)).filter(({ status }) => status === 429)).toHaveLength(1);
  });

  test('requests thirty PIN resets an hour, and is then refused for every email alike', async () => {
    const { user } = await verified();
    const reset = (username: string) =>
      identity.send('POST', '/internal/pin-reset', { username, browser: { address: '192.0.2.90', userAgent: '' } });
    for (let time = 0; time < 30; time++) expect((await reset(`nobody${time}@example.com`)).status).toBe(200);
    const [known, unknown] = [await reset(user.email), await reset('nobody@example.com')];
    expect([known.status, known.body]).toEqual([429, { ...unknown.body, requestId: known.body.requestId }]);
    expect(await ask(user.email)).toHaveProperty('demo');
  });
});

describe('a forgotten PIN', () => {
  test('is replaced with the link and the code together; sessions, devices and locks end', async () => {
    const { user, token, device } = await verified();
    const parts = partsOf(await ask(user.email));
    expect((await confirm({ ...parts, token: 'x'.repeat(43), newPin: '8046' })).status).toBe(400);
    expect((await confirm({ ...parts, code: other(parts.code), newPin: '8046' })).status).toBe(400);
    expect((await confirm({ ...parts, newPin: '1234' })).status).toBe(400);
    for (let time = 0; time < 3; time++) await signIn(user.email, '9753');
    expect((await confirm({ ...parts, newPin: '8046' })).status).toBe(200);
    expect((await confirm({ ...parts, newPin: '8047' })).status).toBe(400);
    const notified = (await listMessages(identity.db)).filter(({ envelope }) => envelope.type === PIN_CHANGED);
    expect(notified.map(({ envelope }) => envelope.data)).toMatchObject([{ userId: user.id, how: 'reset' }]);
    expect(await identity.check([{ token }])).toMatchObject([{ ok: false, code: 'unauthenticated' }]);
    expect([await signIn(user.email, '1357'), await signIn(user.email, '8046')]).toEqual([401, 200]);
    const devices = await identity.db.selectFrom('devices').select('user_id').where('user_id', '=', user.id).execute();
    expect([device !== undefined, devices.length]).toEqual([true, 1]);
  });

  test('is not replaced once the account was blocked or its number went to another', async () => {
    const [blocked, moved] = [await verified(), await verified()];
    const parts = partsOf(await ask(blocked.user.email));
    await identity.send('POST', `/internal/merchants/${blocked.user.id}/toggle-block`, {}, admin);
    expect((await confirm({ ...parts, newPin: '5937' })).body.error).toContain('expired');
    await identity.send('POST', `/internal/merchants/${blocked.user.id}/toggle-block`, {}, admin);
    expect(await signIn(blocked.user.email, '5937')).toBe(401);

    const ofMoved = partsOf(await ask(moved.user.email));
    const next = await identity.register();
    await identity.db
      .updateTable('users')
      .set({ phone_e164: moved.user.phone })
      .where('id', '=', next.user.id)
      .execute();
    await verify(next.user.id, 'phone');
    expect((await confirm({ ...ofMoved, newPin: '5937' })).body.error).toContain('expired');
  });

  test('gets the same answer for every email, and no code without both contacts verified', async () => {
    const { user } = await identity.register();
    for (const email of [user.email, 'nobody@example.com']) {
      expect(Object.keys(await ask(email)).sort()).toEqual(['expiresAt', 'id']);
    }
    await verify(user.id, 'phone');
    identity.clock.advance(MINUTE_MS);
    expect(await ask(user.email)).not.toHaveProperty('demo');
    await verify(user.id, 'email');
    expect(await ask(user.email)).toHaveProperty('demo');
    expect(await ask(user.email)).not.toHaveProperty('demo');
  });

  test('gets an id of the same moment for every email, since an id contains its time', async () => {
    const { user } = await verified();
    let beganMs = 0;
    const pause = async () => {
      beganMs = Date.now();
      await until(() => Date.now() > beganMs + 5);
    };
    const slow = await createIdentity({ beside: identity, pause });
    for (const username of [user.email, 'nobody@example.com']) {
      const { body } = await slow.send('POST', '/internal/pin-reset', { username });
      expect(Number.parseInt(body.id.replaceAll('-', '').slice(0, 12), 16)).toBeLessThanOrEqual(beganMs);
    }
    await slow.stop();
  });

  test('is answered after the same time for every email', async () => {
    const { user } = await verified();
    const waits: { ms: number; end: () => void }[] = [];
    const pause = (ms: number) => new Promise<void>((end) => waits.push({ ms, end }));
    const slow = await createIdentity({ beside: identity, pause });
    let answered = 0;
    const asked = [user.email, 'nobody@example.com'].map((username) =>
      slow.send('POST', '/internal/pin-reset', { username }).then(() => answered++),
    );
    await until(() => waits.length === 2, { what: 'both wait' });
    await until(async () => (await codesOf(user.id)) > 0, { what: 'the code is issued' });
    expect([answered, waits.map(({ ms }) => ms)]).toEqual([0, [500, 500]]);
    for (const { end } of waits) end();
    await Promise.all(asked);
    await slow.stop();
  });

  test('of an administrator is not replaced this way', async () => {
    const { user } = await verified();
    await identity.db.updateTable('users').set({ is_admin: true }).where('id', '=', user.id).execute();
    expect(await ask(user.email)).not.toHaveProperty('demo');
  });
});

describe('PIN resets of an account', () => {
  const askFrom = async (username: string, browser: { address: string; device?: string }) => {
    const form = { username, browser: { userAgent: '', ...browser } };
    return (await identity.send('POST', '/internal/pin-reset', form)).body;
  };
  const networks = (count: number) => Array.from({ length: count }, (_, host) => `198.51.100.${host}`);

  test('that strangers ask for leave its own devices theirs, six a day', async () => {
    const { user, device } = await verified();
    for (const address of networks(15)) await askFrom(user.email, { address });
    const own = { address: '198.51.100.0', device };
    const answers: object[] = [];
    for (let time = 0; time < 7; time++) {
      answers.push(await askFrom(user.email, own));
      identity.clock.advance(MINUTE_MS);
    }
    expect(answers.map((answer) => 'demo' in answer)).toEqual([true, true, true, true, true, true, false]);
  });

  test('are possible on its own devices although strangers of the same network request too many', async () => {
    const { user, device } = await verified();
    const shared = { address: '203.0.113.99' };
    for (let time = 0; time < 31; time++) await askFrom(`unknown-${time}@example.com`, shared);
    expect(await askFrom(user.email, shared)).toMatchObject({ code: 'rate_limited' });
    expect(await askFrom(user.email, { ...shared, device })).toHaveProperty('demo');
  });

  test('are two a day from a network that no device of it is known by, and twelve from all', async () => {
    const { user } = await verified();
    const other = await verified();
    const sent: boolean[] = [];
    for (const address of networks(8)) {
      for (let time = 0; time < 3; time++) {
        // The device of another account is a stranger's.
        sent.push('demo' in (await askFrom(user.email, { address, device: other.device })));
        identity.clock.advance(MINUTE_MS);
      }
    }
    expect(sent.filter(Boolean)).toHaveLength(12);
    expect(sent.slice(0, 6)).toEqual([true, true, false, true, true, false]);
    identity.clock.advance(24 * 60 * MINUTE_MS);
    expect(await askFrom(user.email, { address: '198.51.100.0' })).toHaveProperty('demo');
  });

  test('that a stranger asks for void no code of the owner, and delay none', async () => {
    const { user, device } = await verified();
    await askFrom(user.email, { address: '198.51.100.1' });
    const parts = partsOf(await askFrom(user.email, { address: '198.51.100.2', device }));
    identity.clock.advance(MINUTE_MS);
    const strangers = partsOf(await askFrom(user.email, { address: '198.51.100.1' }));
    expect((await confirm({ ...parts, code: strangers.code, newPin: '8046' })).status).toBe(400);
    expect((await confirm({ ...parts, newPin: '8046' })).status).toBe(200);
    expect((await confirm({ ...strangers, newPin: '8047' })).status).toBe(400);
  });
});
