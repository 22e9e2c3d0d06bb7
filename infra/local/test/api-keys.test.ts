import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PIN, type ApiClient, createApiClient, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

let product: RunningProduct;
let admin: ApiClient;
beforeAll(async () => {
  product = await startProduct();
  admin = await signInAdmin(product.address);
}, 120_000);
afterAll(() => product?.stop());

const KEYS = '/api/admin/api-keys';
const issue = (name: string, pin = ADMIN_PIN) => admin.post(KEYS, { name, pin });
const list = async () => (await admin.get(KEYS)).body.apiKeys;

async function trailOf(id: string): Promise<{ action: string; actor: { adminId: string } }[]> {
  return (await admin.get(`/api/admin/audit-trail?subject=${id}`)).body.entries;
}

async function logs(): Promise<string> {
  const folder = join(product.dataDir, 'logs');
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
}

test('an administrator issues a key with the PIN, sees it once, and revokes it; both are on the audit trail', async () => {
  const wrongPin = await issue('Bookkeeping', '0000');
  expect(wrongPin).toMatchObject({ status: 401, body: { code: 'invalid_pin' } });
  expect(await list()).toEqual([]);
  const { status, body, headers } = await issue('Bookkeeping');
  expect(status).toBe(201);
  expect(headers.get('cache-control')).toBe('no-store');
  const { key, apiKey } = body;
  expect(key).toMatch(/^vuka_[\w-]{43}$/);
  expect(await list()).toEqual([apiKey]);
  const revoked = await admin.post(`${KEYS}/${apiKey.id}/revoke`);
  expect(revoked).toMatchObject({ status: 200, body: { apiKey: { revokedAt: expect.any(String) } } });
  expect((await admin.post(`${KEYS}/${apiKey.id}/revoke`)).body).toEqual(revoked.body);
  for (const id of ['x', crypto.randomUUID()]) {
    expect(await admin.post(`${KEYS}/${id}/revoke`)).toMatchObject({
      status: 404,
      body: { code: 'not_found', error: 'API key not found' },
    });
  }
  await until(async () => (await trailOf(apiKey.id)).length === 2);
  const trail = await trailOf(apiKey.id);
  const { adminId } = apiKey.createdBy;
  expect(trail).toMatchObject([
    { action: 'api-key.revoked', actor: { adminId } },
    { action: 'api-key.issued', actor: { adminId } },
  ]);
  expect(JSON.stringify(trail)).not.toContain(key);
  expect(await logs()).not.toContain(key);
});

test('an API key is not a session: it gives access to neither an account nor the admin area', async () => {
  const { key } = (await issue('Warehouse')).body;
  const program = createApiClient(product.address);
  for (const path of ['/api/user', '/api/balances', '/api/transactions', '/api/events', KEYS]) {
    const answer = await program.get(path, { authorization: `Bearer ${key}`, cookie: `vuka_session=${key}` });
    expect(answer, path).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  }
});
