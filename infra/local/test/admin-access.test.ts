import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

let product: RunningProduct;
let admin: ApiClient;
beforeAll(async () => {
  product = await startProduct();
  admin = await signInAdmin(product.address);
}, 120_000);
afterAll(() => product?.stop());

interface Operation {
  tags?: string[];
}
type Paths = Record<string, Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>>;
const ALSO_ADMIN = [
  '/api/rates/update',
  '/api/rates/history',
  '/api/integration-logs/recent',
  '/api/integration-logs/log/{id}',
];

const isAdmins = (path: string) => path.startsWith('/api/admin/') || ALSO_ADMIN.includes(path);

async function adminOperations(): Promise<{ method: string; path: string; tags: string[] }[]> {
  const { paths } = (await admin.get('/api/openapi.json')).body as { paths: Paths };
  return Object.entries(paths)
    .filter(([path]) => isAdmins(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { tags = [] }]) => ({ method, path, tags })),
    );
}

function call(client: ApiClient, { method, path }: { method: string; path: string }) {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'name' ? 'transfers.execution' : crypto.randomUUID(),
  );
  if (method === 'get') return client.get(address);
  return method === 'delete' ? client.delete(address) : client.post(address, {});
}

describe('every call of the admin area in the API description', () => {
  test('is tagged for administrators, and so are the rates and the provider logs', async () => {
    const operations = await adminOperations();
    expect(operations.length).toBeGreaterThan(25);
    for (const path of ALSO_ADMIN) expect(operations.map((operation) => operation.path)).toContain(path);
    expect(operations.filter(({ tags }) => !tags.includes('admin'))).toEqual([]);
  });

  test('refuses callers without a session and merchants, whatever they send', async () => {
    const { client } = await registerMerchant(product.address, admin, {});
    const stranger = createApiClient(product.address);
    const wrong: string[] = [];
    for (const operation of await adminOperations()) {
      const [signedOut, merchant] = [await call(stranger, operation), await call(client, operation)];
      const name = `${operation.method} ${operation.path}`;
      if (signedOut.status !== 401 || signedOut.body.code !== 'unauthenticated')
        wrong.push(`${name}: ${signedOut.status}`);
      if (merchant.status !== 403 || merchant.body.code !== 'forbidden') wrong.push(`${name}: ${merchant.status}`);
    }
    expect(wrong).toEqual([]);
  });
});
