import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CACHE_DIR } from '#start-settings.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import type { RunningProduct } from './product.ts';

const CREATE_ADMIN = fileURLToPath(new URL('../src/create-admin.ts', import.meta.url));

/** Another administrator, created with the operator's command, and signed in. */
export async function addAdmin(
  product: RunningProduct,
  email: string,
  pin: string,
  words: string[] = [],
): Promise<ApiClient> {
  const env = {
    ...process.env,
    VUKA_DATA_DIR: product.dataDir,
    VUKA_ADMIN_PIN: pin,
    LOG_LEVEL: 'error',
    NODE_COMPILE_CACHE: CACHE_DIR,
  };
  await promisify(execFile)(process.execPath, [CREATE_ADMIN, '--email', email, '--name', 'Second Admin', ...words], {
    env,
  });
  const admin = createApiClient(product.address);
  const { status } = await admin.post('/api/login', { username: email, pin });
  if (status !== 200) throw new Error(`the new administrator cannot sign in: ${status}`);
  return admin;
}
