import { SESSIONS_ENDED } from '@vuka/contracts/messages/identity';
import { listMessages } from '@vuka/service-kit/outbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashToken } from '#sessions/session.store.ts';
import { admin, createIdentity } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity.stop());

const callerOf = (userId: string) => ({ ...admin, userId, isAdmin: false, adminId: null });
const signIn = async (username: string, userAgent: string) => {
  const browser = { address: '203.0.113.7', userAgent };
  return (await identity.send('POST', '/internal/login', { username, pin: '1357', browser })).body.token as string;
};
const list = async (userId: string, token: string) =>
  (await identity.send('POST', '/internal/sessions/list', { token }, callerOf(userId))).body.sessions;
const end = (userId: string, body: { token: string; id?: string }) =>
  identity.send('POST', '/internal/sessions/end', body, callerOf(userId));

test('a user sees their own valid sessions, the last used first, and which one asks', async () => {
  const { user, token } = await identity.register();
  await identity.register();
  identity.clock.advance(60_000);
  await signIn(user.email, 'Chrome on a phone');
  expect(await list(user.id, token)).toMatchObject([
    { userAgent: 'Chrome on a phone', address: '203.0.113.7', isCurrent: false },
    { userAgent: '', isCurrent: true },
  ]);
  identity.clock.advance(31 * 60_000);
  const late = await signIn(user.email, 'later');
  expect(await list(user.id, late)).toMatchObject([{ userAgent: 'later', isCurrent: true }]);
});

test('one session is ended, on the server too, and streams are told', async () => {
  const { user, token } = await identity.register();
  const lost = await signIn(user.email, 'Stolen phone');
  const { id } = (await list(user.id, token)).find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  expect((await end(user.id, { token, id })).status).toBe(200);
  expect(await identity.check([{ token: lost }, { token }])).toMatchObject([{ ok: false }, { ok: true }]);
  expect((await end(user.id, { token, id })).status).toBe(404);
  const ended = (await listMessages(identity.db)).filter(({ envelope }) => envelope.type === SESSIONS_ENDED);
  expect(ended.map(({ envelope }) => envelope.subject)).toEqual([user.id]);
});

test('all other sessions are ended', async () => {
  const { user, token } = await identity.register();
  const others = [await signIn(user.email, 'one'), await signIn(user.email, 'two')];
  expect((await end(user.id, { token })).status).toBe(200);
  const states = await identity.check([token, ...others].map((each) => ({ token: each })));
  expect(states.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, false]);
});

test('signing out everywhere else makes the other devices unknown, not the one in use', async () => {
  const { user, token, device } = await identity.register();
  await signIn(user.email, 'an old browser');
  const known = async () => {
    const rows = identity.db.selectFrom('devices').select('token_hash').where('user_id', '=', user.id);
    return (await rows.execute()).map(({ token_hash }) => token_hash);
  };
  expect(await known()).toHaveLength(2);
  expect((await end(user.id, { token })).status).toBe(200);
  expect(await known()).toEqual([hashToken(device)]);
  await identity.db.updateTable('sessions').set({ device_hash: null }).where('user_id', '=', user.id).execute();
  expect((await end(user.id, { token })).status).toBe(200);
  expect(await known()).toEqual([]);
});

test('another user’s session is not found', async () => {
  const victim = await identity.register();
  const { user, token } = await identity.register();
  const [{ id }] = await list(victim.user.id, victim.token);
  expect((await end(user.id, { token, id })).status).toBe(404);
  expect(await identity.check([{ token: victim.token }])).toMatchObject([{ ok: true }]);
});

test('where a session was opened is encrypted in the table, and clear in the list', async () => {
  const { user } = await identity.register();
  identity.clock.advance(60_000);
  const token = await signIn(user.email, 'Firefox on a laptop');
  const rows = await identity.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute();
  const table = JSON.stringify(rows.map((row) => ({ ...row, sealed: row.sealed?.toString('latin1') })));
  expect(table).not.toMatch(/Firefox|203\.0\.113/);
  expect(await list(user.id, token)).toMatchObject([
    { userAgent: 'Firefox on a laptop', address: '203.0.113.7', isCurrent: true },
    { isCurrent: false },
  ]);
});

test('a session that the previous release opened is listed, and is encrypted afterwards', async () => {
  const { user, token } = await identity.register();
  const clear = { sealed: null, address: '198.51.100.9', user_agent: 'Opera' };
  await identity.db.updateTable('sessions').set(clear).where('user_id', '=', user.id).execute();
  expect(await list(user.id, token)).toMatchObject([{ userAgent: 'Opera', address: '198.51.100.9' }]);
  expect(await identity.sealedOrigins.sealSome(identity.db, 10)).toBe(1);
  const [row] = await identity.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute();
  expect([row?.address, row?.user_agent]).toEqual(['', '']);
  expect(await list(user.id, token)).toMatchObject([{ userAgent: 'Opera', address: '198.51.100.9' }]);
});

test('a copy of one’s data has the thousand sessions and devices last used, however many there are', async () => {
  const { user } = await identity.register();
  await identity.pool.query(
    `insert into sessions (id, id_hash, user_id, seal, pin_version, created_at, last_seen_at)
     select gen_random_uuid(), decode(md5(id || '-' || n), 'hex'), user_id, seal, pin_version, created_at,
       last_seen_at - make_interval(secs => n)
     from sessions, generate_series(1, 1200) n where user_id = $1`,
    [user.id],
  );
  await identity.pool.query(
    `insert into devices (user_id, token_hash, created_at, last_seen_at)
     select user_id, decode(md5(user_id || '-' || n), 'hex'), created_at, last_seen_at - make_interval(secs => n)
     from devices, generate_series(1, 1200) n where user_id = $1`,
    [user.id],
  );
  const own = { ...callerOf(user.id), pinVerified: true };
  const { body } = await identity.send('POST', '/internal/accounts/export', { userId: user.id }, own);
  for (const rows of [body.sessions, body.devices]) {
    expect(rows).toHaveLength(1_000);
    expect(rows[0].lastSeenAt).toBe(identity.clock.now().toISOString());
  }
});
