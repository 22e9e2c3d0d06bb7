import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COUNTRIES, type Country } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { countryOf, RATED } from '@vuka/money/directions';
import { prefixOf } from '@vuka/money/phones';
import type pg from 'pg';
import type { Product } from './product.ts';
import { writePrivately } from './secrets.ts';
import { builtScript } from './service-build.ts';
import { SERVICE_COMMANDS } from './services.ts';
import { ROOT, type Settings } from './start-settings.ts';
import { withDatabase } from './with-database.ts';

const HOME = countryOf(RATED.source);

export const DEMO_ADMIN = {
  email: 'admin@vuka.test',
  name: 'Vuka Admin',
  phone: `${prefixOf(HOME)}700000001`,
  pin: '2468',
};
/** Large credits, large changes of the rate and higher limits need a second administrator. */
export const DEMO_APPROVER = {
  email: 'approver@vuka.test',
  name: 'Vuka Approver',
  phone: `${prefixOf(HOME)}700000002`,
  pin: '8642',
};
/** One on each side of the exchange rate. */
export const DEMO_MERCHANTS = [
  { name: 'Amina Wanjiku', email: 'amina@vuka.test', pin: '1357', ...livingIn(HOME, '712345678') },
  { name: 'Juma Mwakyusa', email: 'juma@vuka.test', pin: '1357', ...livingIn(countryOf(RATED.target), '754123456') },
] as const;
const RATE = { buyRate: '23.5', markup: '2' };
const FUNDS = [
  { currency: RATED.source, amount: '250000' },
  { currency: RATED.target, amount: '5000000' },
];

/** What the simulated provider's wallets hold at first. */
const FLOAT = '500000000000';

function livingIn(country: Country, localNumber: string) {
  const { name, currency } = COUNTRIES[country];
  return { country: name, defaultCurrency: currency, phoneNumber: prefixOf(country) + localNumber };
}

/**
 * Writes the demo accounts, rate and funds once per database, through the public API. Each step may be repeated, so
 * the next run completes one that was interrupted. Throws with the answer of the failed step, and for databases that
 * others use: the PINs of the demo accounts are public.
 */
export async function seedDemoData(product: Product, settings: Settings): Promise<void> {
  const marker = join(settings.dataDir, 'demo.json');
  const target = targetOf(product, settings);
  const done = JSON.parse(await readFile(marker, 'utf8').catch(() => '[]')) as string[];
  if (!done.includes(target)) {
    await withDatabase(product.server, `${settings.databasePrefix}_identity`, refuseForeignBooks);
  }
  const stages: Record<string, () => Promise<void>>[] = [
    {
      [target]: () => seedFirst(product, settings.env),
      // Separate steps: installations that were seeded earlier lack them.
      [`${target}-approver`]: () => createAdmin(product, settings.env, DEMO_APPROVER),
    },
    { [`${target}-verified`]: () => verifyMerchants(product), [`${target}-float`]: () => topUpFloat(product) },
  ];
  for (const stage of stages) {
    const due = Object.entries(stage).filter(([name]) => !done.includes(name));
    await Promise.all(due.map(([, run]) => run()));
    done.push(...due.map(([name]) => name));
    if (due.length > 0) await writePrivately(marker, `${JSON.stringify(done)}\n`);
  }
}

/** Throws if the identity database has accounts besides those of the demonstration. */
export async function refuseForeignBooks(identity: pg.Client): Promise<void> {
  const emails = [DEMO_ADMIN, DEMO_APPROVER, ...DEMO_MERCHANTS].map(({ email }) => email);
  const { rowCount } = await identity.query('select from users where email <> all($1) limit 1', [emails]);
  if (rowCount === 0) return;
  throw new Error('these databases have accounts that are not of the demonstration. Is NODE_ENV=production missing?');
}

async function seedFirst(product: Product, env: NodeJS.ProcessEnv): Promise<void> {
  await createAdmin(product, env, DEMO_ADMIN);
  const admin = await signIn(product.url, DEMO_ADMIN.email, DEMO_ADMIN.pin);
  await setFirstRate(admin);
  const merchants = await Promise.all(DEMO_MERCHANTS.map((merchant) => registerMerchant(product.url, merchant)));
  for (const merchantId of merchants) await fund(admin, merchantId);
}

/** A data directory may be used with several servers in turn. */
function targetOf(product: Product, { databaseUrl, databasePrefix }: Settings): string {
  const place = databaseUrl ? new URL(product.server).host : 'embedded';
  return createHash('sha256').update(`${place} ${databasePrefix}`).digest('hex').slice(0, 16);
}

function createAdmin(product: Product, env: NodeJS.ProcessEnv, admin: typeof DEMO_ADMIN): Promise<void> {
  const identity = product.plans.find(({ name }) => name === 'identity');
  const { email, name, phone, pin } = admin;
  const args = ['--email', email, '--name', name, '--phone', phone, '--reset-pin'];
  const child = spawn(process.execPath, [builtScript(join(ROOT, SERVICE_COMMANDS['create-admin'].script)), ...args], {
    env: { ...env, ...identity?.env, LOG_LEVEL: 'error', VUKA_ADMIN_PIN: pin },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${email}: ${errors}`))));
  });
}

interface Signed {
  url: string;
  cookie: string;
  user: { merchantData: { merchantId: string } | null };
}

async function signIn(url: string, username: string, pin: string): Promise<Signed> {
  return openSession(url, await call(url, 'POST', '/api/login', { body: { username, pin } }));
}

async function registerMerchant(url: string, merchant: (typeof DEMO_MERCHANTS)[number]): Promise<string> {
  const answer = await call(url, 'POST', '/api/register', { body: merchant, allow: [409] });
  const { user } =
    answer.status === 409 ? await signIn(url, merchant.email, merchant.pin) : await openSession(url, answer);
  if (!user.merchantData) throw new Error(`${merchant.email} is not a merchant`);
  return user.merchantData.merchantId;
}

/** Verified merchants are paid by their number, and can replace a forgotten PIN. */
async function verifyMerchants({ url }: Product): Promise<void> {
  for (const merchant of DEMO_MERCHANTS) {
    const { cookie } = await signIn(url, merchant.email, merchant.pin);
    for (const channel of ['phone', 'email']) {
      const path = `/api/verification/${channel}`;
      // 409: verified already.
      const sent = await call(url, 'POST', `${path}/send`, { cookie, allow: [409] });
      const { demoCode } = (await sent.json()) as { demoCode?: string };
      if (demoCode) await call(url, 'POST', `${path}/confirm`, { cookie, body: { code: demoCode } });
    }
  }
}

/** The books begin with the provider's balance, so that both agree from then on. */
async function topUpFloat({ url }: Product): Promise<void> {
  const admin = await signIn(url, DEMO_ADMIN.email, DEMO_ADMIN.pin);
  const approver = await signIn(url, DEMO_APPROVER.email, DEMO_APPROVER.pin);
  const path = '/api/admin/adjustments';
  for (const currency of WALLET_CURRENCIES) {
    const reason = 'Opening balance with the provider';
    const body = { kind: 'float_top_up', amount: FLOAT, currency, reason, pin: DEMO_ADMIN.pin };
    const asked = await call(url, 'POST', path, { cookie: admin.cookie, key: `demo-float-${currency}`, body });
    const { adjustment } = (await asked.json()) as { adjustment: { id: string } };
    const decision = { cookie: approver.cookie, body: { pin: DEMO_APPROVER.pin } };
    await call(url, 'POST', `${path}/${adjustment.id}/approve`, decision);
  }
}

async function openSession(url: string, answer: Response): Promise<Signed> {
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { url, cookie, user: (await answer.json()) as Signed['user'] };
}

async function setFirstRate(admin: Signed): Promise<void> {
  const { url, cookie } = admin;
  const history = (await (await call(url, 'GET', '/api/rates/history', { cookie })).json()) as unknown[];
  if (history.length > 0) return;
  await confirm(admin);
  await call(url, 'POST', '/api/rates/update', { cookie, body: RATE });
}

async function fund(admin: Signed, merchantId: string): Promise<void> {
  const { url, cookie } = admin;
  for (const { currency, amount } of FUNDS) {
    const key = `demo-funds-${merchantId}-${currency}`;
    await confirm(admin);
    await call(url, 'POST', '/api/admin/credit-balance', { cookie, key, body: { merchantId, amount, currency } });
  }
}

/** The following steps need a recently checked PIN, however short `VUKA_STEP_UP_SECONDS` is. */
async function confirm({ url, cookie }: Signed): Promise<void> {
  await call(url, 'POST', '/api/admin/step-up', { cookie, body: { pin: DEMO_ADMIN.pin } });
}

interface CallOptions {
  body?: unknown;
  cookie?: string;
  key?: string;
  allow?: number[];
}

const TRIES = 3;

/** Every call here may be repeated, so one that came too early is. */
async function call(url: string, method: string, path: string, options: CallOptions): Promise<Response> {
  const { body, cookie, key, allow = [] } = options;
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie ? { cookie } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    if (answer.ok || allow.includes(answer.status)) return answer;
    if (answer.status < 500 || attempt === TRIES) {
      throw new Error(`${method} ${path} answered ${answer.status} ${await answer.text()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
  }
}
