import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAdmin } from './add-admin.ts';
import { ADMIN_PIN, type ApiClient, createApiClient, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';
import { untilPinIsStale } from './stale-pin.ts';

const WRONG_PIN = '9753';
const UNKNOWN = '0190a000-0000-7000-8000-00000000dead';

/** The targets of the calls below, each of which exists and can be changed. */
interface Targets {
  merchantId: string;
  /** The same merchant's user id. */
  userId: string;
  lockedUserId: string;
  feeId: string;
  apiKeyId: string;
  creditId: string;
  adjustmentId: string;
  rateProposalId: string;
  limitProposalId: string;
  secondUserId: string;
  tierProposalId: string;
}

type Guard =
  /** Refused unless the PIN is recent. */
  | { by: 'step-up'; id?: keyof Targets; body?: (targets: Targets) => object }
  /** The body has a PIN, which the call checks. */
  | { by: 'own PIN'; id?: keyof Targets; body: (pin: string | undefined, targets: Targets) => object }
  | { by: 'moves nothing'; because: string };

const withPin =
  (more: object = {}) =>
  (pin: string | undefined) => ({ ...more, pin });
const LAB = {
  by: 'moves nothing',
  because: 'it tells a simulator, which only demonstrations have, how to fail',
} as const;
/** The actions of the setup, as the audit trail records them. */
const ANNOUNCED = [
  'merchant.credited',
  'credit.requested',
  'adjustment.requested',
  'fee.added',
  'api-key.issued',
  'rates.proposed',
  'settings.limits-proposed',
  'limits.proposed',
];
const CREDENTIAL = { id: 'thief', rawId: 'thief', type: 'public-key', response: {}, clientExtensionResults: {} };
const LIMITS = {
  tier: 'business',
  currency: 'KES',
  perTransaction: 1,
  perDay: 1,
  perMonth: 3,
  perDayIn: 1,
  perMonthIn: 3,
};
const REASON = { reason: 'a thief wants it' };
const LOSS = { kind: 'loss', amount: '10', currency: 'TZS', ...REASON };

/**
 * Every call of administrators that is not a GET, and what stops a thief who has the cookie but not the PIN. A new
 * call must be added here; one that moves money, sets a price or changes a permission needs a PIN.
 */
const GUARDS: Record<string, Guard> = {
  '/api/rates/update': { by: 'step-up', body: () => ({ buyRate: 24, markup: 1 }) },
  '/api/admin/credit-balance': {
    by: 'step-up',
    body: ({ merchantId }) => ({ merchantId, amount: 1_000, currency: 'KES' }),
  },
  '/api/admin/adjustments': { by: 'own PIN', body: withPin(LOSS) },
  '/api/admin/adjustments/{id}/approve': { by: 'own PIN', id: 'adjustmentId', body: withPin() },
  '/api/admin/adjustments/{id}/refuse': { by: 'own PIN', id: 'adjustmentId', body: withPin(REASON) },
  '/api/admin/credits/{id}/approve': { by: 'own PIN', id: 'creditId', body: withPin() },
  '/api/admin/credits/{id}/refuse': { by: 'own PIN', id: 'creditId', body: withPin(REASON) },
  '/api/admin/rate-proposals/{id}/approve': { by: 'own PIN', id: 'rateProposalId', body: withPin() },
  '/api/admin/rate-proposals/{id}/refuse': { by: 'own PIN', id: 'rateProposalId', body: withPin(REASON) },
  '/api/admin/limit-proposals/{id}/approve': { by: 'own PIN', id: 'limitProposalId', body: withPin() },
  '/api/admin/limit-proposals/{id}/refuse': { by: 'own PIN', id: 'limitProposalId', body: withPin(REASON) },
  '/api/admin/tier-limit-proposals/{id}/approve': { by: 'own PIN', id: 'tierProposalId', body: withPin() },
  '/api/admin/tier-limit-proposals/{id}/refuse': { by: 'own PIN', id: 'tierProposalId', body: withPin(REASON) },
  '/api/admin/limits': { by: 'step-up', body: () => ({ ...LIMITS, perDay: 2 }) },
  '/api/admin/merchants/{id}/business': { by: 'step-up', id: 'userId', body: () => ({ isBusiness: true }) },
  '/api/admin/deposit': { by: 'own PIN', body: withPin({ ...REASON, amount: 1_000, currency: 'KES' }) },
  '/api/admin/withdrawals/{id}/take': { by: 'step-up' },
  '/api/admin/withdrawals/{id}/approve': { by: 'own PIN', body: withPin() },
  '/api/admin/withdrawals/{id}/refuse': { by: 'own PIN', body: withPin(REASON) },
  '/api/admin/withdrawals/{id}/fail': { by: 'own PIN', body: withPin(REASON) },
  '/api/admin/withdrawals/{id}/complete': { by: 'own PIN', body: withPin({ reference: 'FT26001' }) },
  '/api/admin/fees': {
    by: 'own PIN',
    body: withPin({ transactionType: 'withdrawal', currency: 'KES', minAmount: 0, fixedFee: 1, percentageFee: 0 }),
  },
  '/api/admin/fees/{id}/remove': { by: 'own PIN', id: 'feeId', body: withPin() },
  '/api/admin/system-settings': {
    by: 'step-up',
    body: () => ({
      systemName: 'Thief',
      supportEmail: 'thief@example.com',
      maxPinAttempts: 10,
      autoLogoutMinutes: 120,
      withdrawalApprovalLimit: { KES: '999999999', TZS: '999999999' },
      creditApprovalLimit: { KES: '999999999', TZS: '999999999' },
    }),
  },
  '/api/admin/notification-settings': {
    by: 'step-up',
    body: () => ({
      emailNotifications: false,
      smsNotifications: false,
      loginAlerts: false,
      transactionAlerts: false,
    }),
  },
  '/api/admin/merchants/{id}/toggle-block': { by: 'step-up', id: 'userId', body: () => ({ isBlocked: true }) },
  '/api/admin/merchants/{id}/export': { by: 'own PIN', id: 'userId', body: withPin() },
  '/api/admin/merchants/{id}/close': { by: 'own PIN', id: 'userId', body: withPin(REASON) },
  '/api/admin/merchants/{id}/unlock': { by: 'step-up', id: 'lockedUserId' },
  '/api/admin/api-keys': { by: 'own PIN', body: withPin({ name: 'thief' }) },
  '/api/admin/api-keys/{id}/revoke': { by: 'step-up', id: 'apiKeyId' },
  '/api/admin/queues/{name}/dead/redrive': { by: 'own PIN', body: withPin(REASON) },
  '/api/admin/queues/{name}/dead/{id}/requeue': { by: 'own PIN', body: withPin(REASON) },
  '/api/admin/queues/{name}/dead/{id}/drop': { by: 'own PIN', body: withPin(REASON) },
  '/api/admin/reconciliation/exceptions/{id}/resolve': { by: 'own PIN', body: withPin({ note: 'a thief wants it' }) },
  '/api/admin/administrators/{id}/role': { by: 'step-up', id: 'secondUserId', body: () => ({ role: 'auditor' }) },
  '/api/admin/role-proposals/{id}/approve': { by: 'own PIN', body: withPin() },
  '/api/admin/role-proposals/{id}/refuse': { by: 'own PIN', body: withPin(REASON) },
  '/api/admin/second-factors/passkey/begin': { by: 'step-up' },
  '/api/admin/second-factors/totp/begin': { by: 'step-up' },
  '/api/admin/second-factors/passkey': { by: 'step-up', body: () => ({ name: 'thief', credential: CREDENTIAL }) },
  '/api/admin/second-factors/totp': { by: 'step-up', body: () => ({ name: 'thief', code: '123456' }) },
  '/api/admin/second-factors/{id}/remove': { by: 'step-up' },
  '/api/admin/second-factors/challenge': { by: 'moves nothing', because: 'it gives a passkey something to sign' },
  '/api/admin/change-pin': { by: 'own PIN', body: (currentPin) => ({ currentPin, newPin: '8642' }) },
  '/api/admin/step-up': { by: 'own PIN', body: withPin() },
  '/api/admin/transactions/{id}/retry': {
    by: 'moves nothing',
    because: 'it asks the provider, and sends an accepted payout again under its own id',
  },
  '/api/admin/transactions/{id}/recovery/inquire': { by: 'moves nothing', because: 'it asks the provider' },
  '/api/admin/reconciliation/runs': { by: 'moves nothing', because: 'it compares books, and writes exceptions' },
  '/api/admin/reconciliation/exceptions/{id}/take': { by: 'moves nothing', because: 'it records who handles it' },
  '/api/admin/failure-lab/{scenario}/on': LAB,
  '/api/admin/failure-lab/{scenario}/off': LAB,
  '/api/admin/failure-lab/off': LAB,
};

let product: RunningProduct;
/** The administrator whose cookie the thief has, without the PIN. */
let owner: ApiClient;
let thief: ApiClient;
let merchant: ApiClient;
let second: ApiClient;
let targets: Targets;
beforeAll(async () => {
  product = await startProduct({ VUKA_STEP_UP_SECONDS: '2', VUKA_RATE_LIMIT_FACTOR: '10' });
  second = await addAdmin(product, 'second@vuka.test', '8642');
  owner = await signInAdmin(product.address);
  ({ merchant, targets } = await makeTargets(owner));
  thief = await stolenCookie();
}, 180_000);
afterAll(() => product?.stop());

/** The cookie of an administrator whose PIN is no longer recent. */
async function stolenCookie(): Promise<ApiClient> {
  const client = await signInAdmin(product.address);
  await untilPinIsStale(client);
  return client;
}

async function makeTargets(owner: ApiClient) {
  const make = async (path: string, body: object) => {
    await second.post('/api/admin/step-up', { pin: '8642' });
    const answer = await second.post(path, body);
    expect([path, answer.status < 300, answer.body.error]).toEqual([path, true, undefined]);
    return answer.body;
  };
  const [one, other] = [
    await registerMerchant(product.address, owner, {}),
    await registerMerchant(product.address, owner, {}),
  ];
  const { merchantId } = one.user.merchantData;
  await make('/api/admin/credit-balance', { merchantId, amount: 5_000, currency: 'KES' });
  const { credit } = await make('/api/admin/credit-balance', { merchantId, amount: 10_000_001, currency: 'KES' });
  const { adjustment } = await make('/api/admin/adjustments', { ...LOSS, pin: '8642' });
  const fee = { transactionType: 'transfer', currency: 'TZS', minAmount: 0, fixedFee: 1, percentageFee: 0 };
  const { id: feeId } = await make('/api/admin/fees', { ...fee, pin: '8642' });
  const { apiKey } = await make('/api/admin/api-keys', { name: 'bookkeeping', pin: '8642' });
  const { proposal: rate } = await make('/api/rates/update', { buyRate: 240, markup: 1 });
  const settings = (await second.get('/api/admin/system-settings')).body;
  const creditApprovalLimit = { KES: '999999999', TZS: '999999999', USD: '999999999' };
  const { proposal: limit } = await make('/api/admin/system-settings', { ...settings, creditApprovalLimit });
  const { proposal: tier } = await make('/api/admin/limits', { ...LIMITS, currency: 'TZS', perMonth: 9_999_999_999 });
  // The trail is written a moment later, and is compared below.
  for (const action of ANNOUNCED) {
    const path = `/api/admin/audit-trail?action=${action}&actor=Second+Admin`;
    await until(async () => (await second.get(path)).body.entries.length > 0, { what: `${action} is on the trail` });
  }
  const stranger = createApiClient(product.address);
  for (const pin of ['9751', '9752', '9753']) await stranger.post('/api/login', { username: other.user.email, pin });
  return {
    merchant: one.client,
    targets: {
      merchantId,
      adjustmentId: adjustment.id,
      userId: one.user.id,
      lockedUserId: other.user.id,
      feeId: String(feeId),
      apiKeyId: apiKey.id,
      creditId: credit.id,
      rateProposalId: rate.id,
      limitProposalId: limit.id,
      secondUserId: (await second.get('/api/user')).body.id,
      tierProposalId: tier.id,
    },
  };
}

interface Guarded {
  path: string;
  guard: Exclude<Guard, { by: 'moves nothing' }>;
}

const guarded = (by: Guarded['guard']['by']): Guarded[] =>
  Object.entries(GUARDS).flatMap(([path, guard]) => (guard.by === by ? [{ path, guard }] : []));

function send({ path, guard }: Guarded, pin?: string) {
  const id = guard.id === undefined ? UNKNOWN : targets[guard.id];
  const body = guard.by === 'own PIN' ? guard.body(pin, targets) : guard.body?.(targets);
  return thief.post(path.replace('{id}', id).replace('{name}', 'admin.audit-trail'), body);
}

/** Everything that a thief would change, as the other administrator and the merchant see it. */
async function stateOfEverything() {
  const paths = [
    '/api/rates/history',
    '/api/admin/fees',
    '/api/admin/system-settings',
    '/api/admin/notification-settings',
    '/api/admin/api-keys',
    '/api/admin/credits?status=awaiting_approval',
    '/api/admin/adjustments?status=awaiting_approval',
    '/api/admin/rate-proposals',
    '/api/admin/limit-proposals',
    '/api/admin/deposits',
    '/api/admin/administrators',
    `/api/admin/merchants/${targets.userId}`,
    `/api/admin/merchants/${targets.lockedUserId}`,
    '/api/admin/audit-trail?limit=200',
  ];
  const seen = await Promise.all(paths.map(async (path) => [path, (await second.get(path)).body] as const));
  const balances = await Promise.all(
    [merchant, thief, second].map(async (who) => (await who.get('/api/balances')).body),
  );
  const { '/api/admin/audit-trail?limit=200': trail, ...state } = Object.fromEntries(seen);
  // This function reads about merchants, which is recorded, too.
  const actions = trail.entries.filter(({ action }: { action: string }) => action !== 'merchant.viewed');
  return { ...state, actions, balances };
}

test('the list of guards covers exactly the calls of administrators that are not GETs', async () => {
  const { paths } = (await second.get('/api/openapi.json')).body as {
    paths: Record<string, Record<string, { tags?: string[] }>>;
  };
  const writing = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { tags }]) =>
      method !== 'get' && tags?.includes('admin') ? [[method, path] as const] : [],
    ),
  );
  expect(writing.filter(([method]) => method !== 'post')).toEqual([]);
  expect(writing.map(([, path]) => path).sort()).toEqual(Object.keys(GUARDS).sort());
});

test('an old cookie of an administrator moves no money, sets no price and changes no permission', async () => {
  const before = await stateOfEverything();
  const wrong: unknown[] = [];
  for (const call of guarded('step-up')) {
    const { status, body } = await send(call);
    if (status !== 403 || body.code !== 'step_up_required') wrong.push([call.path, status, body]);
  }
  for (const call of guarded('own PIN')) {
    const without = await send(call);
    if (without.status !== 400) wrong.push([call.path, without.status, without.body]);
    const guessed = await send(call, WRONG_PIN);
    if (guessed.status !== 401 || guessed.body.code !== 'invalid_pin') wrong.push([call.path, guessed.status]);
    // The owner's right PIN resets the account's count, so that the next call is not locked; the old cookie stays old.
    expect((await owner.post('/api/admin/step-up', { pin: ADMIN_PIN })).status).toBe(200);
  }
  expect(wrong).toEqual([]);
  const { code } = (await thief.post(`/api/admin/merchants/${UNKNOWN}/unlock`)).body;
  expect(code).toBe('step_up_required');
  expect(await stateOfEverything()).toEqual(before);
});

test('three guesses lock the PIN, for the owner too, and the old cookie cannot unlock it', async () => {
  // A session ends after thirty wrong PINs, and the test before has sent nearly as many.
  thief = await stolenCookie();
  const guesses = [];
  for (const pin of ['0001', '0002', '0003', ADMIN_PIN]) {
    guesses.push((await thief.post('/api/admin/step-up', { pin })).body.code);
  }
  expect(guesses).toEqual(['invalid_pin', 'invalid_pin', 'invalid_pin', 'too_many_attempts']);
  const { id } = (await thief.get('/api/user')).body;
  expect((await thief.post(`/api/admin/merchants/${id}/unlock`)).body.code).toBe('step_up_required');
});

test('with a PIN that was right just now the same calls are let through', async () => {
  const wrong: unknown[] = [];
  for (const { path, guard } of guarded('step-up')) {
    await second.post('/api/admin/step-up', { pin: '8642' });
    if (guard.by !== 'step-up') continue;
    const id = guard.id === undefined ? UNKNOWN : targets[guard.id];
    const { status, body } = await second.post(path.replace('{id}', id), guard.body?.(targets));
    if (body.code === 'step_up_required' || status === 400) wrong.push([path, status, body]);
  }
  expect(wrong).toEqual([]);
});
