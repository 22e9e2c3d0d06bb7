import { randomInt, randomUUID } from 'node:crypto';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what a test is about
  body: any;
  headers: Headers;
}

export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

/** Nobody waits longer for an answer, whatever is away. */
const ANSWER_TIMEOUT_MS = 10_000;

/** A program that uses the public API, with a cookie jar of one cookie. */
export function createApiClient(address: string) {
  let cookie = '';

  async function call(method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(`${address}${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie ? { cookie } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const [setCookie] = response.headers.getSetCookie();
    if (setCookie) cookie = setCookie.split(';')[0] ?? '';
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  }

  return {
    get: (path: string, headers?: Record<string, string>) => call('GET', path, headers ? { headers } : {}),
    post: (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
      call('POST', path, { body, headers }),
    put: (path: string, body: unknown) => call('PUT', path, { body }),
    patch: (path: string, body: unknown) => call('PATCH', path, { body }),
    delete: (path: string, headers: Record<string, string> = {}) => call('DELETE', path, { headers }),
    get cookie() {
      return cookie;
    },
  };
}

export type ApiClient = ReturnType<typeof createApiClient>;

export const ADMIN_PIN = '2468';
const ADMIN = { username: 'admin@vuka.test', pin: ADMIN_PIN };
export const PIN = '1357';

export async function signInAdmin(address: string): Promise<ApiClient> {
  const admin = createApiClient(address);
  const { status } = await admin.post('/api/login', ADMIN);
  if (status !== 200) throw new Error(`the demo administrator cannot sign in: ${status}`);
  return admin;
}

/** A new merchant, signed in, with money in both wallets. */
export async function registerMerchant(
  address: string,
  admin: ApiClient,
  funds: { KES?: number; TZS?: number } = { KES: 100_000, TZS: 1_000_000 },
) {
  const client = createApiClient(address);
  const { status, body: user } = await client.post('/api/register', {
    name: 'Test Merchant',
    email: `${randomUUID()}@example.com`,
    phoneNumber: `+25411${randomInt(1_000_000, 9_999_999)}`,
    pin: PIN,
    defaultCurrency: 'KES',
    country: 'Kenya',
  });
  if (status !== 201) throw new Error(`registration: ${status} ${JSON.stringify(user)}`);
  for (const [currency, amount] of Object.entries(funds)) {
    const credit = { merchantId: user.merchantData.merchantId, amount, currency };
    const credited = await admin.post('/api/admin/credit-balance', credit);
    if (credited.status !== 201) throw new Error(`credit: ${credited.status} ${JSON.stringify(credited.body)}`);
  }
  return { client, user };
}

/** An order of 1,000 KES at the demo rate, to a phone that is paid. */
export function order(changes: Record<string, unknown> = {}) {
  return {
    direction: 'KES_TO_TZS',
    sourceAmount: '1000',
    sourceCurrency: 'KES',
    targetAmount: '23030',
    targetCurrency: 'TZS',
    recipientPhone: '+255763456700',
    pin: PIN,
    clientTransactionId: `CLIENT-${randomUUID()}`,
    ...changes,
  };
}
