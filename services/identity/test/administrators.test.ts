import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Caller } from '@vuka/access/caller';
import { listMessages } from '@vuka/service-kit/outbox';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAdmin } from '#administrators/create-or-reset-admin.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { admin, createIdentity, PEPPERS } from './harness.ts';

const PIN = '2468';
const DAY_MS = 24 * 60 * 60_000;

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeEach(async () => {
  identity = await createIdentity();
});
afterEach(() => identity?.stop());

async function newAdmin(name: string): Promise<Caller & { email: string }> {
  const email = `${name.toLowerCase()}@admin.test`;
  const deps = { db: identity.db, hasher: createPinHasher(PEPPERS) };
  const { adminId } = await createAdmin(deps, {
    email,
    name,
    phone: '',
    pin: PIN,
    resetPin: false,
    role: 'owner' as const,
  });
  const { id } = await identity.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { ...admin, userId: id, adminId, name, email, address: '192.0.2.9' };
}

const signIn = (email: string, pin = PIN) => identity.send('POST', '/internal/login', { username: email, pin });
const act = (what: 'unlock' | 'toggle-block', who: Caller, by: Caller, body: object = {}) =>
  identity.send('POST', `/internal/merchants/${who.userId}/${what}`, body, by);
const list = async (by: Caller) =>
  (await identity.send('GET', '/internal/administrators', undefined, by)).body.administrators;
const seen = async (who: Caller, by: Caller) => (await list(by)).find(({ id }: { id: string }) => id === who.userId);

async function lock({ email }: { email: string }) {
  for (let attempt = 0; attempt < 3; attempt += 1) await signIn(email, '9753');
  expect((await signIn(email)).status).toBe(429);
}

/** The changes of an account: an order that changes nothing is recorded as a reading. */
async function recorded(who: Caller): Promise<{ action: string }[]> {
  const envelopes = (await listMessages(identity.db)).map(({ envelope }) => envelope);
  const actions = envelopes.filter(({ type }) => type === 'admin.action-recorded.v1');
  const entries = actions.filter(({ subject }) => subject === who.userId).map(({ data }) => data as { action: string });
  return entries.filter(({ action }) => action !== 'administrator.created' && action !== 'merchant.viewed');
}

describe('the lock of an administrator', () => {
  test('is removed by two others, each once; sessions are unchanged', async () => {
    const [zuri, amina, juma] = [await newAdmin('Zuri'), await newAdmin('Amina'), await newAdmin('Juma')];
    const { token } = (await signIn(zuri.email)).body;
    await lock(zuri);
    expect(await seen(zuri, amina)).toMatchObject({ unlockStep: 'request', unlockRequest: null });

    const asked = await Promise.all([act('unlock', zuri, amina), act('unlock', zuri, amina)]);
    for (const { status, body } of asked) {
      expect([status, body.unlockRequest.requestedBy.name]).toEqual([202, 'Amina']);
    }
    expect((await signIn(zuri.email)).status).toBe(429);
    expect(await seen(zuri, amina)).toMatchObject({ unlockStep: 'requested' });
    expect(await seen(zuri, juma)).toMatchObject({
      unlockStep: 'confirm',
      unlockRequest: { requestedBy: { id: amina.userId, adminId: amina.adminId, name: 'Amina' } },
    });

    const done = await Promise.all([act('unlock', zuri, juma), act('unlock', zuri, juma), act('unlock', zuri, amina)]);
    expect(done.map(({ status }) => status)).toContain(200);
    expect(await seen(zuri, juma)).toMatchObject({ unlockStep: 'none', lockedUntil: null, unlockRequest: null });
    expect((await identity.check([{ token }]))[0]).toMatchObject({ ok: true });
    expect((await signIn(zuri.email)).status).toBe(200);
    expect(await recorded(zuri)).toMatchObject([
      { action: 'administrator.unlock-requested', actor: { name: 'Amina' }, address: '192.0.2.9' },
      {
        action: 'administrator.unlocked',
        actor: { name: 'Juma' },
        before: { requestedBy: { name: 'Amina' } },
        after: { lockedUntil: null },
      },
    ]);
  });

  test('cannot be removed by its owner, as first or as second', async () => {
    const [zuri, amina] = [await newAdmin('Zuri'), await newAdmin('Amina'), await newAdmin('Juma')];
    await lock(zuri);
    const refused = { status: 403, body: { code: 'forbidden', error: 'You cannot unlock your own account.' } };
    expect(await act('unlock', zuri, zuri)).toMatchObject(refused);
    await act('unlock', zuri, amina);
    expect(await act('unlock', zuri, zuri)).toMatchObject(refused);
    expect((await signIn(zuri.email)).status).toBe(429);
    expect((await seen(zuri, zuri)).unlockStep).toBe('own');
    expect(await recorded(zuri)).toMatchObject([{ action: 'administrator.unlock-requested' }]);
  });

  test('needs a new request after 24 hours, and after the first administrator was blocked', async () => {
    const [zuri, amina, juma] = [await newAdmin('Zuri'), await newAdmin('Amina'), await newAdmin('Juma')];
    await newAdmin('Neema');
    await lock(zuri);
    const longLock = new Date(identity.clock.now().getTime() + 3 * DAY_MS);
    await identity.db.updateTable('users').set({ pin_locked_until: longLock }).where('id', '=', zuri.userId).execute();
    await act('unlock', zuri, amina);
    identity.clock.advance(DAY_MS);
    expect((await act('unlock', zuri, juma)).body.unlockRequest.requestedBy.name).toBe('Juma');
    await act('toggle-block', juma, amina, { isBlocked: true });
    expect((await act('unlock', zuri, amina)).body.unlockRequest.requestedBy.name).toBe('Amina');
    expect((await signIn(zuri.email)).status).toBe(429);
  });

  test('needs a new request after the first administrator lost the role of an owner', async () => {
    const [zuri, amina, juma, musa] = [
      await newAdmin('Zuri'),
      await newAdmin('Amina'),
      await newAdmin('Juma'),
      await newAdmin('Musa'),
    ];
    await lock(zuri);
    expect((await act('unlock', zuri, amina)).status).toBe(202);
    await identity.db.updateTable('admins').set({ role: 'support' }).where('user_id', '=', amina.userId).execute();
    expect((await act('unlock', zuri, juma)).status).toBe(202);
    expect((await act('unlock', zuri, musa)).status).toBe(200);
  });

  test('needs the command on the server when there are not two others who can sign in', async () => {
    const [zuri, amina, juma] = [await newAdmin('Zuri'), await newAdmin('Amina'), await newAdmin('Juma')];
    await lock(zuri);
    await act('toggle-block', juma, amina, { isBlocked: true });
    const { status, body } = await act('unlock', zuri, amina);
    expect([status, body.code]).toEqual([403, 'forbidden']);
    expect(body.error).toContain('npm run admin:unlock -- --email zuri@admin.test');
    expect((await seen(zuri, amina)).unlockStep).toBe('on-server');
    expect(await recorded(zuri)).toEqual([]);
  });

  test('that has expired needs no unlock: the call changes nothing', async () => {
    const [zuri, amina] = [await newAdmin('Zuri'), await newAdmin('Amina'), await newAdmin('Juma')];
    await lock(zuri);
    identity.clock.advance(16 * 60_000);
    expect(await act('unlock', zuri, amina)).toMatchObject({ status: 200, body: { lockedUntil: null } });
    expect(await recorded(zuri)).toEqual([]);
  });
});

test('a merchant cannot list administrators, and a stale PIN cannot unlock one', async () => {
  const [zuri, amina] = [await newAdmin('Zuri'), await newAdmin('Amina'), await newAdmin('Juma')];
  await lock(zuri);
  expect((await identity.send('GET', '/internal/administrators', undefined, { ...amina, isAdmin: false })).status).toBe(
    403,
  );
  const { status, body } = await act('unlock', zuri, { ...amina, pinRecent: false });
  expect([status, body.code]).toEqual([403, 'step_up_required']);
  expect(await recorded(zuri)).toEqual([]);
});

describe('npm run admin:unlock', () => {
  const COMMAND = join(import.meta.dirname, '../../../infra/local/src/unlock-admin.ts');
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'vuka-no-run-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  async function adminUnlock(...words: string[]) {
    const { PATH = '' } = process.env;
    const env = { PATH, DATABASE_URL: identity.url, VUKA_DATA_DIR: dataDir };
    const run = promisify(execFile)(process.execPath, [COMMAND, ...words], { env });
    return run.then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, errors: stderr }),
      (error) => ({ code: error.code, out: error.stdout, errors: error.stderr }),
    );
  }

  test('unlocks the only administrator, reports it, and writes one entry for the audit trail', async () => {
    const zuri = await newAdmin('Zuri');
    const { token } = (await signIn(zuri.email)).body;
    await lock(zuri);
    const first = await adminUnlock('--email', 'zuri@ADMIN.test');
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringContaining(`administrator ${zuri.adminId}. The lock is off`),
    });
    expect((await identity.check([{ token }]))[0]).toMatchObject({ ok: true });
    expect((await signIn(zuri.email)).status).toBe(200);
    expect((await adminUnlock('--email', zuri.email)).out).toContain('Nothing was changed.');
    expect(await recorded(zuri)).toMatchObject([
      {
        action: 'administrator.unlocked',
        actor: { adminId: null, name: 'On the server (npm run admin:unlock)' },
        address: null,
        before: { lockedUntil: expect.any(String) },
      },
    ]);
  }, 60_000);

  test('refuses a user who is not an administrator, and prints its usage', async () => {
    const { user } = await identity.register();
    const merchant = await adminUnlock('--email', user.email);
    expect(merchant).toMatchObject({ code: 1, errors: `No administrator has the email ${user.email}.\n` });
    expect(await adminUnlock()).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^Usage: unlock-admin --email/),
    });
  }, 60_000);
});

describe('blocking an administrator', () => {
  test('is a separate audit action, and blocking a blocked account changes nothing', async () => {
    const [zuri, amina] = [await newAdmin('Zuri'), await newAdmin('Amina')];
    for (const isBlocked of [true, true, false, false]) {
      expect(await act('toggle-block', zuri, amina, { isBlocked })).toMatchObject({ status: 200, body: { isBlocked } });
    }
    expect((await recorded(zuri)).map(({ action }) => action)).toEqual([
      'administrator.blocked',
      'administrator.unblocked',
    ]);
  });
});

test('a block sent ten times at once is applied once; without a body it toggles', async () => {
  const amina = await newAdmin('Amina');
  const { user } = await identity.register();
  const merchant = { ...admin, userId: user.id };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => act('toggle-block', merchant, amina, { isBlocked: true })),
  );
  expect(answers.map(({ status, body }) => [status, body.isBlocked])).toEqual(Array(10).fill([200, true]));
  const path = `/internal/merchants/${user.id}/toggle-block`;
  expect((await identity.send('POST', path, undefined, amina)).body.isBlocked).toBe(false);
  expect((await act('toggle-block', merchant, amina, {})).body.isBlocked).toBe(true);
  expect((await act('toggle-block', merchant, amina, { isBlocked: 'yes' })).status).toBe(400);
  expect((await recorded(merchant)).map(({ action }) => action)).toEqual([
    'user.blocked',
    'user.unblocked',
    'user.blocked',
  ]);
});
