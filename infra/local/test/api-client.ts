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

/** Longer than any answer may take, even when services are unavailable. */
const ANSWER_TIMEOUT_MS = 10_000;

/** A client of the public API that keeps its cookies, as a browser does. */
export function createApiClient(address: string) {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  let pin = '';

  async function call(method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(`${address}${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(jar.size > 0 ? { cookie: cookies() } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const setCookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (setCookie.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  }

  return {
    get: (path: string, headers?: Record<string, string>) => call('GET', path, headers ? { headers } : {}),
    post(path: string, body: unknown = {}, headers: Record<string, string> = {}) {
      if (path === '/api/login') pin = (body as { pin: string }).pin;
      return call('POST', path, { body, headers });
    },
    put: (path: string, body: unknown) => call('PUT', path, { body }),
    patch: (path: string, body: unknown) => call('PATCH', path, { body }),
    delete: (path: string, headers: Record<string, string> = {}) => call('DELETE', path, { headers }),
    /** The value of the `cookie` request header. */
    get cookie() {
      return cookies();
    },
    /** The cookies for a browser that takes over the session. */
    get cookies() {
      return [...jar].map(([name, value]) => ({ name, value }));
    },
    /** The PIN that it signed in with. */
    get pin() {
      return pin;
    },
  };
}

export type ApiClient = ReturnType<typeof createApiClient>;

export const ADMIN_PIN = '2468';
export const APPROVER_PIN = '8642';
const ADMIN = { username: 'admin@vuka.test', pin: ADMIN_PIN };
const APPROVER = { username: 'approver@vuka.test', pin: APPROVER_PIN };
export const PIN = '1357';

export const signInAdmin = (address: string): Promise<ApiClient> => signInAs(address, ADMIN);

/** The demo administrator who approves the other one's proposals. */
export const signInApprover = (address: string): Promise<ApiClient> => signInAs(address, APPROVER);

async function signInAs(address: string, login: typeof ADMIN): Promise<ApiClient> {
  const admin = createApiClient(address);
  const { status } = await admin.post('/api/login', login);
  if (status !== 200) throw new Error(`${login.username} cannot sign in: ${status}`);
  return admin;
}

/** Sets any rate: one administrator proposes a large change, and the other approves it. */
export async function setAnyRate(
  [proposer, approver]: readonly [ApiClient, ApiClient],
  rate: { buyRate: number; markup: number },
): Promise<void> {
  const { status, body } = await proposer.post('/api/rates/update', rate);
  if (status === 200) return;
  const path = `/api/admin/rate-proposals/${body.proposal?.id}/approve`;
  const approved = await approver.post(path, { pin: approver.pin });
  if (approved.status !== 200) throw new Error(`rate: ${status} ${JSON.stringify([body, approved.body])}`);
}

/** A new signed-in merchant with money in both wallets. */
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
    const credited = await creditWithFreshPin(admin, credit);
    if (credited.status !== 201) throw new Error(`credit: ${credited.status} ${JSON.stringify(credited.body)}`);
  }
  return { client, user };
}

/** A merchant in Tanzania who owns this phone number, so that money sent to it arrives in their wallet. */
export async function registerRecipient(address: string, phoneNumber: string): Promise<ApiClient> {
  const client = createApiClient(address);
  const form = {
    name: 'Juma Said',
    email: `${phoneNumber.slice(1)}@example.com`,
    phoneNumber,
    pin: PIN,
    country: 'Tanzania',
    defaultCurrency: 'TZS',
  };
  const { status, body } = await client.post('/api/register', form);
  if (status !== 201) throw new Error(`registration: ${status} ${JSON.stringify(body)}`);
  await verifyPhone(client);
  return client;
}

/** Verifies the merchant's number with the code that demonstrations show, so that transfers to it reach the wallet. */
export async function verifyPhone(client: ApiClient): Promise<void> {
  const { body } = await client.post('/api/verification/phone/send');
  const { status } = await client.post('/api/verification/phone/confirm', { code: body.demoCode });
  if (status !== 200) throw new Error(`verification: ${status} ${JSON.stringify(body)}`);
}

/** Like the web app when the PIN check is too old: enters the PIN again and repeats the call. */
async function creditWithFreshPin(admin: ApiClient, credit: object): Promise<Answer> {
  const answer = await admin.post('/api/admin/credit-balance', credit);
  if (answer.body.code !== 'step_up_required') return answer;
  await admin.post('/api/admin/step-up', { pin: admin.pin });
  return admin.post('/api/admin/credit-balance', credit);
}

/** An order of 1,000 KES at the demo rate, to a phone that gets paid. */
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
