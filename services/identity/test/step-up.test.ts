import { decodeCaller, encodeCaller } from '@vuka/access/caller';
import { readKeyring } from '@vuka/service-kit/keyring';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmin } from '#administrators/create-or-reset-admin.ts';
import { correctTimesAhead } from '#clock/times-ahead.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { createPinSealer } from '#pins/pin-seal.ts';
import { checkSessions } from '#sessions/check-sessions.ts';
import { admin, createIdentity, PEPPERS, STEP_UP_MS } from './harness.ts';

const PIN = '2468';
let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity?.stop());

async function addAdmin(email: string): Promise<{ email: string; id: string }> {
  const deps = { db: identity.db, hasher: createPinHasher(PEPPERS) };
  await createAdmin(deps, {
    email,
    name: 'Neema Admin',
    phone: '+254700000002',
    pin: PIN,
    resetPin: false,
    role: 'owner' as const,
  });
  const { id } = await identity.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { email, id };
}

async function signIn(email: string, pin = PIN): Promise<string> {
  const { status, body } = await identity.send('POST', '/internal/login', { username: email, pin });
  expect(status).toBe(200);
  return body.token;
}

async function stateOf(token: string, pin?: string) {
  const [result] = await identity.check([{ token, ...(pin === undefined ? {} : { pin }) }]);
  return result;
}

test('a PIN counts as recent from the sign-in until VUKA_STEP_UP_SECONDS have passed, and again from a right PIN', async () => {
  const { email } = await addAdmin('recent@example.com');
  const token = await signIn(email);
  expect(await stateOf(token)).toMatchObject({ ok: true, pinRecent: true });
  identity.clock.advance(STEP_UP_MS);
  expect(await stateOf(token)).toMatchObject({ ok: true, pinRecent: true });
  identity.clock.advance(1_000);
  expect(await stateOf(token)).toMatchObject({ ok: true, pinRecent: false });
  expect(await stateOf(token, '9999')).toMatchObject({ ok: false, code: 'invalid_pin' });
  expect(await stateOf(token)).toMatchObject({ pinRecent: false });
  expect(await stateOf(token, PIN)).toMatchObject({ pinRecent: true });
  identity.clock.advance(STEP_UP_MS);
  expect(await stateOf(token)).toMatchObject({ pinRecent: true });
});

test('a PIN entered before the clock was set back has to be entered again, also when its time comes once more', async () => {
  const { email } = await addAdmin('set-back@example.com');
  const token = await signIn(email);
  identity.clock.advance(-1_000);
  expect(await stateOf(token)).toMatchObject({ pinRecent: true });
  identity.clock.advance(-3_600_000);
  expect(await stateOf(token)).toMatchObject({ ok: true, pinRecent: false });
  await correctTimesAhead(identity.db, identity.clock.now());
  identity.clock.advance(1_000);
  expect(await stateOf(token, PIN)).toMatchObject({ pinRecent: true });
  expect(await stateOf(token)).toMatchObject({ pinRecent: true });
  const other = await signIn(email);
  identity.clock.advance(-3_600_000);
  await correctTimesAhead(identity.db, identity.clock.now());
  for (let minute = 0; minute < 60; minute += 20) {
    identity.clock.advance(20 * 60_000);
    expect(await stateOf(other)).toMatchObject({ ok: true, pinRecent: false });
  }
});

test('the PIN of one session makes no other session of the same administrator recent', async () => {
  const { email } = await addAdmin('two-sessions@example.com');
  const stolen = await signIn(email);
  identity.clock.advance(STEP_UP_MS + 1_000);
  const own = await signIn(email);
  await stateOf(own, PIN);
  expect(await stateOf(own)).toMatchObject({ pinRecent: true });
  expect(await stateOf(stolen)).toMatchObject({ ok: true, pinRecent: false });
});

test('wrong PINs count in a confirmation like anywhere else: the last one allowed locks', async () => {
  const { email } = await addAdmin('guessed@example.com');
  const token = await signIn(email);
  const codes = [];
  for (const pin of ['0001', '0002', '0003', PIN]) codes.push((await stateOf(token, pin)).code);
  expect(codes).toEqual(['invalid_pin', 'invalid_pin', 'invalid_pin', 'too_many_attempts']);
});

test('a changed PIN counts as recent in the session that changed it', async () => {
  const { email, id } = await addAdmin('changes@example.com');
  const token = await signIn(email);
  identity.clock.advance(STEP_UP_MS + 1_000);
  const change = { token, currentPin: PIN, newPin: '8642' };
  expect((await identity.send('POST', '/internal/change-pin', change, { ...admin, userId: id })).status).toBe(200);
  expect(await stateOf(token)).toMatchObject({ ok: true, pinRecent: true });
});

test('an administrator is the only one until another is created, and stays one of two when the other is blocked', async () => {
  const { db } = identity;
  await db.updateTable('users').set({ is_active: false }).where('is_admin', '=', true).execute();
  const first = await addAdmin('first@example.com');
  const token = await signIn(first.email);
  expect(await stateOf(token)).toMatchObject({ isOnlyAdmin: true });
  const other = await addAdmin('other@example.com');
  expect(await stateOf(token)).toMatchObject({ isOnlyAdmin: false });
  await identity.send('POST', `/internal/merchants/${other.id}/toggle-block`, {}, { ...admin, userId: first.id });
  expect(await stateOf(token)).toMatchObject({ isOnlyAdmin: false });
  const merchant = await identity.register({ email: 'no-admin@example.com' });
  expect(await stateOf(merchant.token)).toMatchObject({ isOnlyAdmin: false });
});

test.each([
  ['blocking', 'POST', (id: string) => `/internal/merchants/${id}/toggle-block`],
  ['unlocking', 'POST', (id: string) => `/internal/merchants/${id}/unlock`],
] as const)('%s is refused with step_up_required when the PIN is not recent', async (_, method, path) => {
  const { user } = await identity.register();
  const stale = { ...admin, pinRecent: false };
  const { status, body } = await identity.send(method, path(user.id), {}, stale);
  expect([status, body.code]).toEqual([403, 'step_up_required']);
});

test('a new session secret requires a new sign-in, and a right PIN never counts as wrong', async () => {
  const { user, token } = await identity.register({ email: 'resealed@example.com' });
  const { db, pool, clock } = identity;
  const sealer = createPinSealer(readKeyring('another-session-secret-of-32-characters'));
  const deps = {
    db,
    pool,
    sealer,
    stepUpMs: STEP_UP_MS,
    requireFactor: false,
    onWrongPin: () => undefined,
    now: clock.now,
  };
  const judged = await checkSessions(deps, [{ token, pin: '1357', keepAlive: true }]);
  expect(judged).toEqual([{ ok: false, code: 'unauthenticated' }]);
  const row = await db.selectFrom('users').select('pin_failed_attempts').where('id', '=', user.id).executeTakeFirst();
  expect(row).toEqual({ pin_failed_attempts: 0 });
  expect(await stateOf(token, '1357')).toMatchObject({ ok: true });
});

test('a caller as an earlier release states it, without a PIN field confirms nothing', () => {
  const { pinRecent: _, isOnlyAdmin: __, ...old } = admin;
  expect(decodeCaller(encodeCaller(old as typeof admin))).toMatchObject({
    pinRecent: false,
    isOnlyAdmin: false,
  });
});
