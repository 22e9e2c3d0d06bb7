import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { addAdmin } from '@vuka/local/testing/add-admin';
import { type ApiClient, createApiClient, PIN, registerMerchant } from '@vuka/local/testing/api-client';
import { type RunningProduct, startProductOn } from '@vuka/local/testing/product';
import { byCurrency, CURRENCY_CODES } from '@vuka/money/currencies';
import { countryOf, RATED } from '@vuka/money/directions';
import { prefixOf, recipientPrefix } from '@vuka/money/phones';
import { judge, type Operation, type Outcome } from './fuzz-judge.ts';
import { hostileHeader, hostileText, type Schema, spoiled, type ValueContext, validValue } from './fuzz-values.ts';
import { createRandom, type Random } from './random.ts';
import { findSecrets, readLogs, readSecrets, readTables, type Secrets } from './secrets.ts';
import { startBroker, startPostgres } from './servers.ts';

export interface FuzzOptions {
  seed: number;
  requests: number;
  say(line: string): void;
}

export interface FuzzResult {
  seed: number;
  requests: number;
  operations: number;
  /** The number of answers by status. */
  answers: Record<string, number>;
  /** Violations, each once, with the number of occurrences and a request that shows it. */
  findings: { what: string; times: number; example: string }[];
}

/** One request as sent, and as a finding shows it. */
interface Attempt {
  operation: Operation;
  address: string;
  /** The network address of the client. */
  from: string;
  headers: Record<string, string>;
  body?: string;
}

type Role = 'signed out' | 'merchant' | 'admin';

interface Actor {
  role: Role;
  client: ApiClient;
  /** The email of their account, if they have one. */
  email?: string;
}

/** The product trusts us as a proxy. */
const LOCAL_PROXY = '127.0.0.1';
const AT_ONCE = 8;
const HANGS_AFTER_MS = 10_000;
const MOST_IDS = 2_000;
/**
 * An actor whose session was ended by a request is replaced. A replaced merchant is a new account, which no earlier
 * request has blocked.
 */
const ROLES: readonly Role[] = ['signed out', 'merchant', 'admin'];

/** Sends seeded requests, valid and invalid, to every call in the running product's own API description. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const [postgres, broker] = await Promise.all([startPostgres(), startBroker()]);
  let product: RunningProduct | undefined;
  try {
    product = await startProductOn(
      { databaseUrl: postgres.directUrl, amqpUrl: broker.directUrl },
      { SIMULATOR_DELAY_MS: '50', VUKA_RATE_LIMIT_FACTOR: '100000', VUKA_TRUST_PROXY: LOCAL_PROXY },
    );
    return await fuzz(options, product, postgres.directUrl);
  } finally {
    await product?.stop();
    await Promise.all([postgres.stop(), broker.stop()]);
  }
}

async function fuzz(options: FuzzOptions, product: RunningProduct, serverUrl: string): Promise<FuzzResult> {
  const { seed, requests, say } = options;
  const { body: description } = await createApiClient(product.address).get('/api/openapi.json');
  const operations = operationsOf(description);
  const secrets = await readSecrets(product.dataDir);
  const { port } = new URL(product.address);
  const pidsBefore = await pidsOf(product);
  const ids = new Set<string>();
  const answers = new Map<string, number>();
  const findings = new Map<string, { times: number; example: string }>();
  const note = (what: string, example: string) => {
    const known = findings.get(what);
    findings.set(what, { times: (known?.times ?? 0) + 1, example: known?.example ?? example.slice(0, 600) });
  };
  let sent = 0;

  /** Sends one request as one of the actors; returns false if it may have ended the actor's session. */
  async function sendOne({ role, client, email }: Actor, context: ValueContext): Promise<boolean> {
    const attempt = draw(
      context.random.pick(role === 'admin' ? operations.filter(isSafeForAdmin) : operations),
      context,
    );
    const { operation, address, body = '' } = attempt;
    const outcome = await send(product.address, attempt, client);
    answers.set(String(outcome.status), (answers.get(String(outcome.status)) ?? 0) + 1);
    for (const what of judge(outcome, { operation, secrets, cookies: client.cookies, port })) {
      note(`${operation.method} ${operation.path}: ${what}`, `${role}: ${operation.method} ${address} ${body}`);
    }
    // A correct PIN resets the count of wrong ones: a locked-out actor would test nothing more.
    if (email && outcome.text.includes('"invalid_pin"')) await client.post('/api/login', { username: email, pin: PIN });
    for (const [id] of outcome.text.matchAll(UUID)) if (ids.size < MOST_IDS) ids.add(id);
    return outcome.status !== 401 && outcome.status !== 403;
  }

  async function work(worker: number): Promise<void> {
    const random = createRandom(seed).fork(`fuzz ${worker}`);
    const context = contextOf(random, description, ids);
    const actors = new Map<Role, Actor>();
    while (sent < requests) {
      sent += 1;
      if (sent % 5_000 === 0) say(`  ${sent} requests, ${findings.size} findings`);
      const role = random.pick(ROLES);
      const actor = actors.get(role) ?? (await createActor(role, product));
      actors.set(role, actor);
      // Merchants get a 403 from every admin route, so only some refusals replace the actor.
      if (!(await sendOne(actor, context)) && random.next() < 0.1) actors.delete(role);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => work(worker)));

  for (const [service, pid] of Object.entries(await pidsOf(product))) {
    if (pid !== pidsBefore[service]) note(`${service}: ended and was restarted`, '');
  }
  await checkAfterwards(product, { serverUrl, secrets, note });
  return {
    seed,
    requests: sent,
    operations: operations.length,
    answers: Object.fromEntries([...answers].sort()),
    findings: [...findings].map(([what, seen]) => ({ what, ...seen })),
  };
}

/** Changing the PIN would lock out actors that have to sign in again. */
const isSafeForAdmin = ({ path }: Operation): boolean => !/pin/i.test(path);

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

async function pidsOf(product: RunningProduct): Promise<Record<string, number | null>> {
  const { services } = await product.run();
  return Object.fromEntries(Object.entries(services).map(([name, { pid }]) => [name, pid]));
}

/** Checks that the books hold, and that no request or answer left a secret in a log or table. */
async function checkAfterwards(
  product: RunningProduct,
  context: { serverUrl: string; secrets: Secrets; note: (what: string, example: string) => void },
): Promise<void> {
  const { note, secrets, serverUrl } = context;
  const { client: admin } = await createAdmin(product);
  const { status, body } = await admin.get('/api/admin/ledger/audit');
  if (status !== 200) note(`the ledger audit answers ${status}`, '');
  for (const { id, violations } of body.invariants ?? [])
    if (violations > 0) note(`ledger invariant ${id} does not hold`, '');
  for (const places of [readLogs(product.dataDir), readTables(serverUrl, product.databasePrefix)]) {
    for (const finding of await findSecrets(places, secrets)) note(finding, '');
  }
}

async function createActor(role: Role, product: RunningProduct): Promise<Actor> {
  if (role === 'signed out') return { role, client: createApiClient(product.address) };
  for (let tries = 0; ; tries += 1) {
    try {
      const admin = await createAdmin(product);
      if (role === 'admin') return admin;
      // If an earlier request lowered the credit limit, a credit needs approval, so the merchant gets no money.
      const { client, user } = await registerMerchant(product.address, admin.client, tries < 2 ? undefined : {});
      return { role, client, email: user.email };
    } catch (error) {
      if (tries === 4) throw error;
      await delay(500);
    }
  }
}

/** A different one each time, since administrators may block each other. */
async function createAdmin(product: RunningProduct): Promise<Actor> {
  const email = `${randomUUID()}@example.com`;
  return { role: 'admin', client: await addAdmin(product, email, PIN), email };
}

interface Description {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components?: { schemas?: Record<string, Schema> };
}

function operationsOf({ paths }: Description): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const {
        parameters = [],
        requestBody,
        responses = {},
      } = described as {
        parameters?: Operation['parameters'];
        requestBody?: { content?: Record<string, { schema?: Schema }> };
        responses?: Record<string, unknown>;
      };
      const body = Object.values(requestBody?.content ?? {})[0]?.schema;
      return {
        method: method.toUpperCase(),
        path,
        parameters,
        documented: Object.keys(responses),
        ...(body ? { body } : {}),
      };
    }),
  );
}

function contextOf(random: Random, description: Description, ids: ReadonlySet<string>): ValueContext {
  const known: Record<string, () => unknown> = {
    pin: () => PIN,
    direction: () => RATED.direction,
    sourceCurrency: () => RATED.source,
    targetCurrency: () => RATED.target,
    sourceAmount: () => '1000',
    targetAmount: () => '23030',
    recipientPhone: () => `${recipientPrefix(RATED.direction)}763456700`,
    phoneNumber: () => `${prefixOf(countryOf(RATED.source))}11${random.between(1_000_000, 9_999_999)}`,
    amount: () => String(random.between(1, 500)),
    clientTransactionId: () => `CLIENT-${random.between(0, 2 ** 31)}`,
    name: () => 'Test Merchant',
    // Other values of these settings would lock every other actor out.
    autoLogoutMinutes: () => 15,
    maxPinAttempts: () => 3,
    // A lower limit would leave new merchants without money, since no single request raises it again.
    ...byCurrency(CURRENCY_CODES, () => () => String(random.between(200_000_000, 400_000_000))),
  };
  return {
    random,
    known: (name) => {
      if (/^(id|\w+Id)$/.test(name) && name !== 'clientTransactionId' && ids.size > 0 && random.next() < 0.8)
        return random.pick([...ids].slice(-200));
      return known[name]?.();
    },
    resolve: (ref) => description.components?.schemas?.[ref.split('/').at(-1) ?? ''] ?? {},
  };
}

/** A third of all requests are valid; the others have one or more errors. */
function draw(operation: Operation, context: ValueContext): Attempt {
  const { random } = context;
  const isRight = random.next() < 0.33;
  const isWrongHere = () => !isRight && random.next() < 0.35;
  const textOf = ({ name, schema = {} }: Operation['parameters'][number]) =>
    isWrongHere() ? hostileText(random) : String(validValue(schema, context, name));
  const byName = new Map(
    operation.parameters.filter((each) => each.in === 'path').map((each) => [each.name, textOf(each)]),
  );
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(byName.get(name) ?? 'x'));
  const query = new URLSearchParams();
  for (const each of operation.parameters.filter((one) => one.in === 'query')) {
    if (random.next() < 0.6) query.append(each.name, textOf(each));
    if (isWrongHere() && random.next() < 0.2) query.append(each.name, hostileText(random));
  }
  if (isWrongHere())
    query.append(random.pick(['__proto__[isAdmin]', 'constructor', 'limit', 'x']), hostileText(random));
  const headers: Record<string, string> = {};
  if (isWrongHere() && random.next() < 0.4) {
    const name = random.pick([
      'x-request-id',
      'idempotency-key',
      'x-vuka-service',
      'x-vuka-caller',
      'x-forwarded-for',
      'accept-language',
      'if-none-match',
      'content-type',
      'authorization',
      'last-event-id',
    ]);
    headers[name] = hostileHeader(random);
  }
  const address = query.size > 0 ? `${path}?${query}` : path;
  const attempt: Attempt = { operation, headers, address, from: anyAddress(random) };
  if (operation.method === 'GET') return attempt;
  const body = operation.body ? validValue(operation.body, context) : {};
  return {
    ...attempt,
    body: isWrongHere() || !(isRight || random.next() < 0.5) ? spoiled(body, random) : JSON.stringify(body),
  };
}

/** From one address, the many wrong sign-ins would keep new actors from signing in. */
const anyAddress = (random: Random): string => `10.${[1, 2, 3].map(() => random.between(0, 255)).join('.')}`;

async function send(address: string, attempt: Attempt, client: ApiClient): Promise<Outcome> {
  const { operation, headers, from, body } = attempt;
  try {
    const response = await fetch(`${address}${attempt.address}`, {
      method: operation.method,
      redirect: 'manual',
      signal: AbortSignal.timeout(HANGS_AFTER_MS),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(client.cookie ? { cookie: client.cookie } : {}),
        ...headers,
        'x-forwarded-for': [headers['x-forwarded-for'], from].filter(Boolean).join(', '),
      },
      ...(body === undefined ? {} : { body }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    return { status: response.status, headers: response.headers, text: isStream ? '' : await response.text() };
  } catch (error) {
    const { name, message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    return { status: 0, text: '', headers: new Headers(), failure: `${name}: ${why}` };
  }
}
