import { createHash } from 'node:crypto';
import { API_KEY_PATTERN, ApiKeys, IssuedApiKey } from '@vuka/contracts/http/api-keys';
import { listMessages } from '@vuka/service-kit/outbox';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAdmin } from '#administrators/create-or-reset-admin.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { admin, createIdentity, PEPPERS } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
/** An administrator whose PIN was checked for this request. */
let caller: typeof admin;
beforeAll(async () => {
  identity = await createIdentity();
  const details = {
    email: 'zuri@admin.test',
    name: 'Zuri Admin',
    phone: '+254700000000',
    pin: '2468',
    role: 'owner' as const,
    resetPin: false,
  };
  const { adminId } = await createAdmin({ db: identity.db, hasher: createPinHasher(PEPPERS) }, details);
  const { id } = await identity.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  caller = { ...admin, userId: id, adminId, pinVerified: true, address: '192.0.2.9' };
});
afterAll(() => identity.stop());
beforeEach(async () => {
  await identity.db.deleteFrom('api_keys').execute();
});

const issue = (name = 'Bookkeeping', by = caller, key?: string) =>
  identity.ask({ method: 'POST', url: '/internal/api-keys', payload: { name }, caller: by, key });
const list = (by = caller) => identity.send('GET', '/internal/api-keys', undefined, by);
const revoke = (id: string, by = caller) => identity.send('POST', `/internal/api-keys/${id}/revoke`, {}, by);
const check = async (key: string) => (await identity.send('POST', '/internal/api-keys/check', { key })).body.apiKey;
const issued = async (name?: string) => (await issue(name)).body as IssuedApiKey;

const UNKNOWN_ID = '0190a000-0000-7000-8000-00000000dead';

async function recorded(id: string) {
  const envelopes = (await listMessages(identity.db)).map(({ envelope }) => envelope);
  return envelopes.filter(({ subject }) => subject === id).map(({ data }) => data);
}

test('a key is returned once, when issued; afterwards the list shows its ending, newest first', async () => {
  const first = await issue('  Bookkeeping ');
  expect(first.status).toBe(201);
  const { key, apiKey } = IssuedApiKey.parse(first.body);
  expect(key).toMatch(API_KEY_PATTERN);
  expect(apiKey).toMatchObject({
    name: 'Bookkeeping',
    ending: key.slice(-4),
    createdBy: { adminId: caller.adminId, name: 'Zuri Admin' },
    createdAt: identity.clock.now().toISOString(),
    lastUsedAt: null,
    revokedAt: null,
  });
  const second = await issued('Warehouse');
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(ApiKeys.parse(body).apiKeys).toEqual([second.apiKey, apiKey]);
  expect(JSON.stringify(body)).not.toContain(key);
});

test('the table has only a key’s SHA-256 and ending', async () => {
  const { key } = await issued();
  const row = await identity.db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
  expect(row.key_hash).toEqual(createHash('sha256').update(key).digest());
  expect(JSON.stringify({ ...row, key_hash: row.key_hash.toString('latin1') })).not.toContain(key.slice(5, -4));
});

test('a key works until it is revoked and stops at once; a repeated revocation gets the same answer', async () => {
  const { key, apiKey } = await issued();
  expect(await check(key)).toEqual({ id: apiKey.id, name: 'Bookkeeping' });
  expect(await check(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)).toBeNull();
  const revokedAt = identity.clock.now().toISOString();
  const first = await revoke(apiKey.id);
  expect(first).toMatchObject({ status: 200, body: { apiKey: { id: apiKey.id, revokedAt } } });
  expect(await check(key)).toBeNull();
  identity.clock.advance(60_000);
  expect(await revoke(apiKey.id)).toEqual(first);
  expect((await list()).body.apiKeys).toEqual([first.body.apiKey]);
});

test('a key works only while its issuer may issue keys: not once blocked or demoted, and again after that is undone', async () => {
  const { key, apiKey } = await issued();
  const states = async (table: 'admins' | 'users', before: object, after: object) => {
    const works: boolean[] = [];
    for (const state of [before, after]) {
      const column = table === 'users' ? 'id' : 'user_id';
      await identity.db.updateTable(table).set(state).where(column, '=', caller.userId).execute();
      works.push((await check(key))?.id === apiKey.id);
      expect((await list()).body.apiKeys[0].isIssuerBarred).toBe(!works.at(-1));
    }
    return works;
  };
  expect(await states('users', { is_blocked: true }, { is_blocked: false })).toEqual([false, true]);
  expect(await states('users', { is_active: false }, { is_active: true })).toEqual([false, true]);
  expect(await states('admins', { role: 'finance' }, { role: 'owner' })).toEqual([false, true]);
});

test('the last use is recorded once a minute, so that not every request writes', async () => {
  const { key, apiKey } = await issued();
  const lastUsedAt = async () => (await list()).body.apiKeys[0].lastUsedAt;
  const firstUse = identity.clock.now().toISOString();
  await check(key);
  identity.clock.advance(59_000);
  await check(key);
  expect(await lastUsedAt()).toBe(firstUse);
  identity.clock.advance(1_000);
  await check(key);
  expect(await lastUsedAt()).toBe(identity.clock.now().toISOString());
  await revoke(apiKey.id);
  identity.clock.advance(120_000);
  const before = await lastUsedAt();
  await check(key);
  expect(await lastUsedAt()).toBe(before);
});

test('the 51st key is refused, even of concurrent ones; revoking one makes room', async () => {
  const [first] = await Promise.all(Array.from({ length: 48 }, () => issued()));
  const answers = await Promise.all(Array.from({ length: 6 }, () => issue('Race')));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400, 400]);
  expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
    code: 'validation_failed',
    error: 'There are 50 API keys already. Revoke one first.',
  });
  await revoke(first?.apiKey.id ?? '');
  expect((await issue()).status).toBe(201);
  expect((await issue()).status).toBe(400);
});

test('only administrators list, issue and revoke keys, and issuing needs the PIN', async () => {
  const { apiKey } = await issued();
  const merchant = { ...caller, isAdmin: false, adminId: null };
  for (const answer of [await list(merchant), await issue('Mine', merchant), await revoke(apiKey.id, merchant)]) {
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  }
  expect((await identity.send('GET', '/internal/api-keys')).status).toBe(401);
  const withoutPin = await issue('No PIN', { ...caller, pinVerified: false });
  expect(withoutPin).toMatchObject({ status: 401, body: { code: 'invalid_pin' } });
  expect((await list()).body.apiKeys).toEqual([apiKey]);
});

test('a key needs a name of at most 60 characters, and only a known key can be revoked', async () => {
  expect((await issue(' ')).body).toMatchObject({ code: 'validation_failed', error: 'Name is required' });
  expect((await issue('x'.repeat(61))).body.error).toBe('Name must be at most 60 characters');
  const unknown = await revoke(UNKNOWN_ID);
  expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found', error: 'API key not found' } });
});

test('issuing and revoking are in the audit trail once each, without the key', async () => {
  const { key, apiKey } = await issued('Bookkeeping');
  await Promise.all([revoke(apiKey.id), revoke(apiKey.id), revoke(apiKey.id)]);
  const entries = await recorded(apiKey.id);
  const { adminId } = caller;
  const subject = { kind: 'api-key', id: apiKey.id, label: 'Bookkeeping' };
  expect(entries).toMatchObject([
    { action: 'api-key.issued', subject, actor: { adminId }, address: '192.0.2.9', after: { ending: key.slice(-4) } },
    { action: 'api-key.revoked', subject, before: { revokedAt: null }, after: { revokedAt: expect.any(String) } },
  ]);
  const messages = JSON.stringify(await listMessages(identity.db));
  expect(messages).not.toContain(key.slice(5, -4));
  expect(messages).not.toContain(createHash('sha256').update(key).digest('hex'));
});

test('under one idempotency key one API key is issued, and every repeat gets it, though it is stored nowhere', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => issue('Warehouse', caller, 'issue-warehouse')));
  const [first] = answers;
  const { key, apiKey } = IssuedApiKey.parse(first?.body);
  expect(key).toMatch(API_KEY_PATTERN);
  for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 201, body: first?.body });
  expect((await list()).body.apiKeys).toHaveLength(1);
  expect(await check(key)).toEqual({ id: apiKey.id, name: 'Warehouse' });
  const stored = await identity.db.selectFrom('first_answers').selectAll().execute();
  expect(JSON.stringify(stored)).toContain(apiKey.id);
  expect(JSON.stringify(stored)).not.toContain(key.slice(5, -4));
  expect((await issue('Shop', caller, 'issue-warehouse')).body.code).toBe('idempotency_conflict');
});

test('another administrator and another idempotency key get another API key', async () => {
  const keys = [
    await issue('Warehouse', caller, 'issue-for-one'),
    await issue('Warehouse', caller, 'issue-for-two'),
    await issue('Warehouse'),
  ].map(({ body }) => body.key);
  expect(new Set(keys).size).toBe(3);
});

test('a revoked API key stays revoked when its request is repeated', async () => {
  const { key, apiKey } = (await issue('Warehouse', caller, 'issue-then-revoke')).body;
  await revoke(apiKey.id);
  expect((await issue('Warehouse', caller, 'issue-then-revoke')).body.key).toBe(key);
  expect(await check(key)).toBeNull();
});

test('after 24 hours the same idempotency key issues another API key, and a revoked one stays revoked', async () => {
  const first = (await issue('Warehouse', caller, 'issue-each-day')).body;
  await revoke(first.apiKey.id);
  await sql`update first_answers set answered_at = now() - interval '24 hours'`.execute(identity.db);
  const { status, body: second } = await issue('Warehouse', caller, 'issue-each-day');
  expect(status).toBe(201);
  expect(second.key).not.toBe(first.key);
  expect(await check(second.key)).toEqual({ id: second.apiKey.id, name: 'Warehouse' });
  expect(await check(first.key)).toBeNull();
});
