import type { Caller } from '@vuka/access/caller';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAdmin } from '#administrators/create-or-reset-admin.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { resetFactors } from '#second-factors/reset-factors.ts';
import { stepAt } from '#second-factors/totp.domain.ts';
import { totpCode } from '#second-factors/totp-codes.ts';
import { admin, createIdentity, PEPPERS, STEP_UP_MS } from './harness.ts';
import { createPasskey, ORIGIN } from './software-passkey.ts';

const PIN = '2468';
let identity: Awaited<ReturnType<typeof createIdentity>>;
let count = 0;
beforeAll(async () => {
  identity = await createIdentity({ requireFactor: true });
});
afterAll(() => identity?.stop());

interface SignedIn {
  token: string;
  email: string;
  userId: string;
}

async function newAdmin(): Promise<SignedIn> {
  count += 1;
  const email = `admin${count}@example.com`;
  const deps = { db: identity.db, hasher: createPinHasher(PEPPERS) };
  await createAdmin(deps, { email, name: 'Neema Admin', phone: '', pin: PIN, resetPin: false, role: 'owner' });
  return signIn(email);
}

async function signIn(email: string): Promise<SignedIn> {
  const { body } = await identity.send('POST', '/internal/login', { username: email, pin: PIN });
  return { token: body.token, email, userId: body.user.id };
}

/** What the gateway says of this session to other services. */
async function callerOf({ token, userId }: SignedIn): Promise<Caller> {
  const [{ user, factorRecent, pinRecent }] = await identity.check([{ token }]);
  return { ...admin, userId, role: user.adminRole, factor: user.secondFactor, factorRecent, pinRecent };
}

const stateOf = async (who: SignedIn) => (await callerOf(who)).factor;

async function call(who: SignedIn, path: string, body: object = {}) {
  const asked = { token: who.token, origin: ORIGIN, ...body };
  return identity.send('POST', `/internal/second-factors/${path}`, asked, await callerOf(who));
}

async function addPasskey(who: SignedIn, passkey = createPasskey()) {
  const { body } = await call(who, 'passkey/begin');
  const credential = passkey.create({ challenge: body.options.challenge });
  const added = await call(who, 'passkey', { name: 'Laptop', credential });
  expect(added.status).toBe(200);
  return { passkey, id: added.body.id as string };
}

async function addTotp(who: SignedIn) {
  const { body } = await call(who, 'totp/begin');
  const secret = fromBase32(body.secret);
  const added = await call(who, 'totp', { name: 'Phone', code: codeNow(secret) });
  expect(added.status).toBe(200);
  return secret;
}

const codeNow = (secret: Buffer, drift = 0) => totpCode(secret, stepAt(identity.clock.now()) + drift);
const give = (who: SignedIn, given: object) => call(who, 'verify', { given });
const challenge = async (who: SignedIn) => (await call(who, 'challenge')).body.options.challenge as string;

function fromBase32(text: string): Buffer {
  const bits = [...text].map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

describe('where a second factor is required', () => {
  test('an administrator has to add one; every other session then has to give it', async () => {
    const who = await newAdmin();
    const other = await signIn(who.email);
    expect(await stateOf(who)).toBe('enrol');
    await addPasskey(who);
    expect([await stateOf(who), await stateOf(other)]).toEqual(['verified', 'pending']);
  });

  test('the last one cannot be removed, also not when two are removed at once', async () => {
    const who = await newAdmin();
    const { id } = await addPasskey(who);
    expect((await call(who, 'remove', { id })).body.reason).toBe('factor_last');
    const second = await addPasskey(who);
    const removed = await Promise.all([id, second.id].map((one) => call(who, 'remove', { id: one })));
    expect(removed.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await stateOf(who)).toBe('verified');
  });

  test('the sessions that a removed one may have opened end; the one that removed it goes on', async () => {
    const who = await newAdmin();
    const { id } = await addPasskey(who);
    await addPasskey(who);
    const thief = await signIn(who.email);
    expect((await call(who, 'remove', { id })).status).toBe(200);
    expect(await identity.check([{ token: thief.token }])).toMatchObject([{ ok: false, code: 'unauthenticated' }]);
    expect(await stateOf(who)).toBe('verified');
  });
});

describe('a passkey', () => {
  let who: SignedIn;
  let passkey: ReturnType<typeof createPasskey>;
  beforeEach(async () => {
    const first = await newAdmin();
    ({ passkey } = await addPasskey(first));
    who = await signIn(first.email);
  });

  test('completes a sign-in, and is recent until VUKA_STEP_UP_SECONDS have passed', async () => {
    const credential = passkey.get({ challenge: await challenge(who) });
    expect((await give(who, { credential })).status).toBe(200);
    expect(await callerOf(who)).toMatchObject({ factor: 'verified', factorRecent: true });
    identity.clock.advance(STEP_UP_MS + 1_000);
    expect(await callerOf(who)).toMatchObject({ factor: 'verified', factorRecent: false });
  });

  test('answers a challenge once, in the session that it was made for', async () => {
    const credential = passkey.get({ challenge: await challenge(who) });
    const other = await signIn(who.email);
    expect((await give(other, { credential })).body.reason).toBe('factor_challenge_expired');
    await challenge(other);
    expect((await give(other, { credential })).body.reason).toBe('factor_wrong');
    expect((await give(who, { credential })).status).toBe(200);
    expect((await give(who, { credential })).body.reason).toBe('factor_challenge_expired');
    expect(await stateOf(other)).toBe('pending');
  });

  test('answers a challenge within five minutes', async () => {
    const credential = passkey.get({ challenge: await challenge(who) });
    identity.clock.advance(5 * 60_000);
    expect((await give(who, { credential })).body.reason).toBe('factor_challenge_expired');
  });

  test.each([
    ['a page of another origin', { origin: 'https://vuka.example.com.evil.test' }],
    ['another name', { rpId: 'evil.test' }],
    ['a person whom it did not verify', { isVerified: false }],
  ])('is refused for %s', async (_, ceremony) => {
    const credential = passkey.get({ challenge: await challenge(who), ...ceremony });
    expect((await give(who, { credential })).body.reason).toBe('factor_wrong');
    expect(await stateOf(who)).toBe('pending');
  });

  test('is refused with a signature count that was used: it was copied', async () => {
    passkey.countFrom(7);
    expect((await give(who, { credential: passkey.get({ challenge: await challenge(who) }) })).status).toBe(200);
    passkey.countFrom(7);
    const copied = passkey.get({ challenge: await challenge(who) });
    expect((await give(who, { credential: copied })).body.reason).toBe('factor_wrong');
  });

  test('of another administrator is refused', async () => {
    const other = await newAdmin();
    const { passkey: theirs } = await addPasskey(other);
    const credential = theirs.get({ challenge: await challenge(who) });
    expect((await give(who, { credential })).body.reason).toBe('factor_wrong');
  });

  test('is added only with user verification, once, and not from a page at an IP address', async () => {
    const adding = await newAdmin();
    const unverified = createPasskey();
    const { body } = await call(adding, 'passkey/begin');
    const credential = unverified.create({ challenge: body.options.challenge, isVerified: false });
    expect((await call(adding, 'passkey', { name: 'Key', credential })).body.reason).toBe('factor_wrong');
    await addPasskey(adding, unverified);
    const again = (await call(adding, 'passkey/begin')).body.options;
    expect(again.excludeCredentials).toHaveLength(1);
    const twice = unverified.create({ challenge: again.challenge });
    expect((await call(adding, 'passkey', { name: 'Key', credential: twice })).body.reason).toBe('passkey_known');
  });
});

test('a passkey with certificates, which name addresses that would be called, is refused', async () => {
  const who = await newAdmin();
  const { body } = await call(who, 'passkey/begin');
  const credential = createPasskey().create({ challenge: body.options.challenge, isCertified: true });
  expect((await call(who, 'passkey', { name: 'Key', credential })).body.reason).toBe('factor_wrong');
});

describe('an authenticator app', () => {
  test('completes a sign-in with its current code, once', async () => {
    const first = await newAdmin();
    const secret = await addTotp(first);
    const who = await signIn(first.email);
    identity.clock.advance(30_000);
    const code = codeNow(secret);
    const answers = await Promise.all([give(who, { code }), give(who, { code })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await callerOf(who)).toMatchObject({ factor: 'verified', factorRecent: true });
    // Nor with the code with which the app was added.
    expect((await give(who, { code: codeNow(secret, -1) })).body.reason).toBe('factor_code_used');
  });

  test('locks after three wrong codes, and neither the right PIN nor a new sign-in gives more', async () => {
    const first = await newAdmin();
    const secret = await addTotp(first);
    const who = await signIn(first.email);
    const reasons = [];
    for (const drift of [100, 101]) reasons.push((await give(who, { code: codeNow(secret, drift) })).body.reason);
    await identity.check([{ token: who.token, pin: PIN }]);
    const again = await signIn(who.email);
    for (const drift of [102, 1]) reasons.push((await give(again, { code: codeNow(secret, drift) })).body.reason);
    expect(reasons).toEqual(['factor_wrong', 'factor_wrong', 'factor_wrong', 'factor_locked']);
    identity.clock.advance(15 * 60_000);
    const later = await signIn(who.email);
    expect((await give(later, { code: codeNow(secret) })).status).toBe(200);
  });

  test('of 50 wrong codes at once three are judged', async () => {
    const who = await newAdmin();
    const secret = await addTotp(who);
    const codes = Array.from({ length: 50 }, (_, index) => codeNow(secret, 200 + index));
    const answers = await Promise.all(codes.map((code) => give(who, { code })));
    const judged = answers.filter(({ body }) => body.reason !== 'factor_locked');
    expect(judged).toHaveLength(3);
  });

  test('has a secret that the database does not show', async () => {
    const who = await newAdmin();
    const secret = await addTotp(who);
    const rows = await identity.db.selectFrom('second_factors').select('sealed_secret').execute();
    expect(rows.some(({ sealed_secret }) => sealed_secret?.includes(secret))).toBe(false);
  });
});

describe('another factor', () => {
  test('takes a recent PIN and a recent factor', async () => {
    const who = await newAdmin();
    const { passkey } = await addPasskey(who);
    identity.clock.advance(STEP_UP_MS + 1_000);
    expect((await call(who, 'totp/begin')).body.reason).toBe('factor_not_recent');
    await give(who, { credential: passkey.get({ challenge: await challenge(who) }) });
    expect((await call(who, 'totp/begin')).body.reason).toBe('pin_not_recent');
    await identity.check([{ token: who.token, pin: PIN }]);
    expect((await call(who, 'totp/begin')).status).toBe(200);
  });

  test('is not added in a session whose sign-in is not complete, nor removed there', async () => {
    const first = await newAdmin();
    const { id } = await addPasskey(first);
    const who = await signIn(first.email);
    expect((await call(who, 'passkey/begin')).body.reason).toBe('factor_pending');
    expect((await call(who, 'remove', { id })).body.reason).toBe('factor_pending');
  });

  test('is not added in a session that began to before the first one was', async () => {
    const who = await newAdmin();
    const thief = await signIn(who.email);
    const early = await callerOf(thief);
    const { body } = await call(thief, 'totp/begin');
    await addPasskey(who);
    const late = { token: thief.token, name: 'Thief', code: codeNow(fromBase32(body.secret)) };
    const answer = await identity.send('POST', '/internal/second-factors/totp', late, early);
    expect(answer.body.reason).toBe('factor_pending');
  });
});

test('a changed PIN takes a recent factor besides the old PIN', async () => {
  const who = await newAdmin();
  const { passkey } = await addPasskey(who);
  identity.clock.advance(STEP_UP_MS + 1_000);
  const change = async () => {
    const body = { token: who.token, currentPin: PIN, newPin: '8642' };
    return identity.send('POST', '/internal/change-pin', body, await callerOf(who));
  };
  expect((await change()).body.reason).toBe('factor_not_recent');
  await give(who, { credential: passkey.get({ challenge: await challenge(who) }) });
  expect((await change()).status).toBe(200);
});

test('a reset on the server removes the factors and ends the sessions; then a new one has to be added', async () => {
  const who = await newAdmin();
  await addPasskey(who);
  await addTotp(who);
  const { removed } = await resetFactors({ db: identity.db, now: identity.clock.now }, who.email);
  expect(removed).toBe(2);
  expect(await identity.check([{ token: who.token }])).toMatchObject([{ ok: false, code: 'unauthenticated' }]);
  expect(await stateOf(await signIn(who.email))).toBe('enrol');
  await expect(resetFactors({ db: identity.db, now: identity.clock.now }, 'nobody@example.com')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('merchants have no second factors', async () => {
  const { token } = await identity.register();
  const caller = { ...admin, isAdmin: false, role: null };
  const asked = { token, origin: ORIGIN };
  expect((await identity.send('POST', '/internal/second-factors/totp/begin', asked, caller)).status).toBe(403);
});
