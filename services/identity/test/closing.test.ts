import { ACCOUNT_CLOSED } from '@vuka/contracts/messages/identity';
import { listMessages } from '@vuka/service-kit/outbox';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmin } from '#administrators/create-or-reset-admin.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { admin, createIdentity, PEPPERS } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity.stop());

const PERSON = { name: 'Nafula Wekesa Barasa', email: 'nafula.barasa@example.com', phoneNumber: '+254733987654' };
const callerOf = (userId: string) => ({
  ...admin,
  userId,
  isAdmin: false,
  adminId: null,
  role: null,
  pinVerified: true,
});
const soon = () => new Date(identity.clock.now().getTime() + 30_000).toISOString();
const close = (userId: string, more: object = {}, caller: object = callerOf(userId)) =>
  identity.send('POST', '/internal/accounts/close', { userId, before: soon(), ...more }, caller as typeof admin);
const sendCode = (userId: string) => identity.send('POST', '/internal/accounts/close-code', {}, callerOf(userId));
const events = async () =>
  (await listMessages(identity.db)).filter(({ envelope }) => envelope.type === ACCOUNT_CLOSED).length;
const signIn = (username: string) => identity.send('POST', '/internal/login', { username, pin: '1357' });

async function verifyPhone(userId: string): Promise<void> {
  const { body } = await identity.send('POST', '/internal/verification/phone/send', {}, callerOf(userId));
  await identity.send('POST', '/internal/verification/phone/confirm', { code: body.demoCode }, callerOf(userId));
}

/** Every row of the tables of this service, as text. */
async function everyRow(): Promise<string> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(identity.db);
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(identity.db);
    texts.push(...rows.map(({ text }) => `${name} ${text}`));
  }
  return texts.join('\n');
}

test('a closed account leaves nothing of the person in any table, and its row stays under its id', async () => {
  const { user, token } = await identity.register(PERSON);
  await verifyPhone(user.id);
  await signIn(PERSON.email);
  const recipient = { phone: '+255712345678', label: 'Mama Asha' };
  await identity.send('POST', '/internal/saved-recipients/save', recipient, callerOf(user.id));
  expect(await everyRow()).toMatch(/Nafula/);
  const { body } = await sendCode(user.id);
  expect((await close(user.id, { code: body.demoCode })).status).toBe(200);
  expect(await everyRow()).not.toMatch(/nafula|barasa|733987654|712345678/i);
  expect(await identity.check([{ token }])).toMatchObject([{ ok: false }]);
  const row = await identity.db
    .selectFrom('users')
    .select(['full_name', 'is_active'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ full_name: 'Closed account', is_active: false });
  expect(await events()).toBe(1);
});

test('the old email gets the answer of an unknown one, and can be registered again with the number', async () => {
  const person = { ...PERSON, email: 'again@example.com', phoneNumber: '+254733111222' };
  const { user } = await identity.register(person);
  expect((await close(user.id)).status).toBe(200);
  const [old, unknown] = [await signIn(person.email), await signIn('nobody@example.com')];
  expect([old.status, old.body.reason]).toEqual([unknown.status, unknown.body.reason]);
  expect((await identity.send('POST', '/internal/pin-reset', { username: person.email })).body.demo).toBeUndefined();
  const next = await identity.register(person);
  expect(next.status).toBe(201);
  await verifyPhone(next.user.id);
  const { body } = await identity.send('POST', '/internal/recipients-batch', {
    items: [{ phone: person.phoneNumber }],
  });
  expect(body.results[0].userId).toBe(next.user.id);
});

test('nobody signs in to a closed account by the address that replaced its own', async () => {
  const { user } = await identity.register();
  await close(user.id);
  const answer = await signIn(`closed-${user.id}@closed.invalid`);
  expect([answer.status, answer.body.reason]).toEqual([401, 'invalid_credentials']);
});

test('with a verified number the code is needed, and a wrong one changes nothing', async () => {
  const { user } = await identity.register();
  await verifyPhone(user.id);
  expect((await close(user.id, { code: '123456' })).body).toMatchObject({ reason: 'code_expired' });
  const { body } = await sendCode(user.id);
  const wrong = body.demoCode.replace(/./g, (digit: string) => String((Number(digit) + 1) % 10));
  expect((await close(user.id, { code: wrong })).body).toMatchObject({ reason: 'code_wrong' });
  expect((await close(user.id)).body).toMatchObject({ reason: 'code_wrong' });
  expect((await close(user.id, { code: body.demoCode })).status).toBe(200);
});

test('it needs the PIN, is the user’s own, and is in time', async () => {
  const [{ user }, other] = [await identity.register(), await identity.register()];
  const refused = [
    await close(user.id, {}, { ...callerOf(user.id), pinVerified: false }),
    await close(user.id, {}, callerOf(other.user.id)),
    await close(user.id, {}, { ...admin, pinVerified: true, role: 'finance' }),
    await close(user.id, { before: identity.clock.now().toISOString() }),
  ];
  expect(refused.map(({ body }) => body.code)).toEqual(['invalid_pin', 'forbidden', 'forbidden', 'unavailable']);
  expect((await signIn(user.email)).status).toBe(200);
});

test('an administrator closes it once, with a reason on the audit trail and without the name', async () => {
  const { user } = await identity.register();
  await verifyPhone(user.id);
  const support = { ...admin, pinVerified: true, role: 'support' };
  const before = await events();
  const unstorable = await close(user.id, { reason: 'no trail can hold \0' }, support);
  expect([unstorable.status, await events()]).toEqual([400, before]);
  for (const _ of [1, 2]) expect((await close(user.id, { reason: 'asked by letter' }, support)).status).toBe(200);
  expect(await events()).toBe(before + 1);
  const actions = (await listMessages(identity.db)).map(({ envelope }) => envelope.data as Record<string, unknown>);
  const recorded = actions.filter(({ action }) => action === 'user.closed');
  expect(recorded).toMatchObject([
    { reason: 'asked by letter', subject: { id: user.id, label: user.merchantData.merchantId } },
  ]);
  const holder = await identity.send('GET', `/internal/account-holders/${user.merchantData.merchantId}`);
  expect(holder.status).toBe(404);
  const contacts = await identity.send('POST', '/internal/contacts-batch', { items: [{ userId: user.id }] });
  expect(contacts.body.results).toEqual([null]);
});

test('an administrator’s account is not closed', async () => {
  const deps = { db: identity.db, hasher: createPinHasher(PEPPERS) };
  await createAdmin(deps, {
    email: 'boss@vuka.test',
    name: 'The Boss',
    phone: '',
    pin: '2468',
    role: 'owner',
  } as never);
  const boss = await identity.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'boss@vuka.test')
    .executeTakeFirstOrThrow();
  expect((await close(boss.id)).body).toMatchObject({ reason: 'account_of_administrator' });
});
