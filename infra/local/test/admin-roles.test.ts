import { ADMIN_CALLS, type AdminRight, mayDo } from '@vuka/contracts/http/admin-rights';
import { ADMIN_ROLES, type AdminRole } from '@vuka/contracts/http/admin-role';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAdmin } from './add-admin.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

const OWN: AdminRight = 'own-credentials';

let product: RunningProduct;
let clients: Record<AdminRole, ApiClient>;
beforeAll(async () => {
  product = await startProduct({ VUKA_RATE_LIMIT_FACTOR: '10' });
  const signedIn = [];
  for (const role of ADMIN_ROLES) {
    signedIn.push([role, await addAdmin(product, `${role}@vuka.test`, '8642', ['--role', role])] as const);
  }
  clients = Object.fromEntries(signedIn) as Record<AdminRole, ApiClient>;
}, 180_000);
afterAll(() => product?.stop());

interface Call {
  method: string;
  path: string;
}

/** The calls of administrators that the gateway has registered. */
async function registeredCalls(): Promise<Call[]> {
  const { paths } = (await createApiClient(product.address).get('/api/openapi.json')).body as {
    paths: Record<string, Record<string, { tags?: string[] }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { tags }]) =>
      tags?.includes('admin') ? [{ method: method.toUpperCase(), path: path.replaceAll(/\{(\w+)\}/g, ':$1') }] : [],
    ),
  );
}

const nameOf = ({ method, path }: Call) => `${method} ${path}` as keyof typeof ADMIN_CALLS;

function send(client: ApiClient, { method, path }: Call) {
  const address = path.replaceAll(/:(\w+)/g, (_, name) =>
    name === 'name' ? 'transfers.execution' : crypto.randomUUID(),
  );
  return method === 'GET' ? client.get(address) : client.post(address, {});
}

test('the table has a row for each call of administrators, and no other', async () => {
  expect((await registeredCalls()).map(nameOf).sort()).toEqual(Object.keys(ADMIN_CALLS).sort());
});

test('each role may do exactly what the table says', async () => {
  const wrong: unknown[] = [];
  for (const call of await registeredCalls()) {
    for (const role of ADMIN_ROLES) {
      const { status, body } = await send(clients[role], call);
      const isRefused = status === 403 && body.reason === 'role_not_allowed';
      if (isRefused === mayDo(role, ADMIN_CALLS[nameOf(call)])) wrong.push([role, nameOf(call), status, body.reason]);
    }
  }
  expect(wrong).toEqual([]);
});

test('an auditor reads everything, and changes nothing but their own PIN and second factors', async () => {
  const wrong: unknown[] = [];
  for (const call of await registeredCalls()) {
    if (ADMIN_CALLS[nameOf(call)] === OWN) continue;
    const { status, body } = await send(clients.auditor, call);
    const isRefused = status === 403 && body.reason === 'role_not_allowed';
    if (isRefused !== (call.method !== 'GET')) wrong.push([nameOf(call), status, body.reason]);
  }
  expect(wrong).toEqual([]);
  expect((await clients.auditor.get('/api/integration-logs/recent?generate=true')).status).toBe(403);
});

test('whoever decides on a change could have proposed it, and no fewer roles may', () => {
  const pairs = [
    ['credits.make', 'credits.decide'],
    ['deposits.make', 'credits.decide'],
    ['rates.set', 'rates.decide'],
    ['settings.change', 'limits.decide'],
    ['limits.change', 'limits.decide'],
  ] as const;
  const allowed = (right: AdminRight) => ADMIN_ROLES.filter((role) => mayDo(role, right));
  for (const [propose, decide] of pairs) expect(allowed(decide)).toEqual(allowed(propose));
});
