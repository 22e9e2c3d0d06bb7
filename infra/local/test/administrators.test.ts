import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAdmin } from './add-admin.ts';
import { type ApiClient, createApiClient, registerMerchant, signInAdmin, signInApprover } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

const UNLOCK_ADMIN = fileURLToPath(new URL('../src/unlock-admin.ts', import.meta.url));
const PIN = '8642';
const LOCKED = 'third@vuka.test';

let product: RunningProduct;
let first: ApiClient;
let second: ApiClient;
let lockedId: string;
beforeAll(async () => {
  product = await startProduct({ VUKA_RATE_LIMIT_FACTOR: '10' });
  first = await signInAdmin(product.address);
  second = await addAdmin(product, 'second@vuka.test', PIN);
  lockedId = (await (await addAdmin(product, LOCKED, PIN)).get('/api/user')).body.id;
}, 180_000);
afterAll(() => product?.stop());

const signIn = (pin: string) => createApiClient(product.address).post('/api/login', { username: LOCKED, pin });
const unlockPath = () => `/api/admin/merchants/${lockedId}/unlock`;

async function lock(): Promise<void> {
  for (const pin of ['9751', '9752', '9753']) await signIn(pin);
  expect((await signIn(PIN)).status).toBe(429);
}

const onTrail = (action: string) =>
  until(async () => (await first.get(`/api/admin/audit-trail?action=${action}`)).body.entries[0]);

test('an administrator is unlocked by two others, recorded on the audit trail and in the alerted metric', async () => {
  await lock();
  const asked = await first.post(unlockPath());
  expect([asked.status, asked.body.unlockRequest.requestedBy.name]).toEqual([202, 'Vuka Admin']);
  const { administrators } = (await second.get('/api/admin/administrators')).body;
  const open = administrators.filter(({ unlockStep }: { unlockStep: string }) => unlockStep !== 'none');
  expect(open).toMatchObject([{ id: lockedId, unlockStep: 'confirm' }]);
  const done = await second.post(unlockPath());
  expect([done.status, done.body.lockedUntil]).toEqual([200, null]);
  expect((await signIn(PIN)).status).toBe(200);
  expect((await onTrail('administrator.unlocked')).actor.name).toBe('Second Admin');
  const port = (await product.run()).services.admin?.port;
  const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(figures).toContain('vuka_admin_actions_total{action="administrator.unlocked",service="admin"} 1');
  expect(figures).toContain('vuka_admin_actions_total{action="administrator.blocked",service="admin"} 0');
});

test('without two others, npm run admin:unlock unlocks on the running product, recorded on the audit trail', async () => {
  await lock();
  for (const other of [second, await signInApprover(product.address)]) {
    const { id } = (await other.get('/api/user')).body;
    await first.post(`/api/admin/merchants/${id}/toggle-block`, { isBlocked: true });
  }
  const refused = await first.post(unlockPath());
  expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining('npm run admin:unlock')]);
  const env = { ...process.env, VUKA_DATA_DIR: product.dataDir, LOG_LEVEL: 'error' };
  const { stdout } = await promisify(execFile)(process.execPath, [UNLOCK_ADMIN, '--email', LOCKED], { env });
  expect(stdout).toContain('The lock is off');
  expect((await signIn(PIN)).status).toBe(200);
  const isOnServer = async () => /On the server/.test((await onTrail('administrator.unlocked')).actor.name);
  await until(isOnServer, { timeoutMs: 30_000, what: 'identity publishes what the command recorded' });
}, 60_000);

test('toggle-block without a body toggles the state, as specified', async () => {
  const { user } = await registerMerchant(product.address, first, {});
  const path = `${product.address}/api/admin/merchants/${user.id}/toggle-block`;
  const press = async () => {
    const answer = await fetch(path, { method: 'POST', headers: { cookie: first.cookie } });
    return [answer.status, ((await answer.json()) as { isBlocked: boolean }).isBlocked];
  };
  expect([await press(), await press()]).toEqual([
    [200, true],
    [200, false],
  ]);
});
