import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { COUNTRIES } from '@vuka/money/corridors';
import { countryOf, RATED } from '@vuka/money/directions';
import { prefixOf, recipientPrefix } from '@vuka/money/phones';
import { liftLimits } from '@vuka/test-kit/lift-limits';
import { Pool } from 'undici';
import type { ProductRun } from './run-product.ts';

/** A signed-in merchant with money. */
export interface Sender {
  cookie: string;
  pin: string;
}

export interface SendAnswer {
  status: number;
  /** The id of an accepted transfer. */
  transferId: string | undefined;
  /** Seconds until a retry, if the answer has Retry-After. */
  retryAfterSeconds: number | undefined;
}

/** The running product, as the load generator uses it. */
export interface Product {
  address: string;
  transfersDatabaseUrl: string;
  /** Process ids by service name. */
  servicePids: Record<string, number>;
  /** Sends one transfer to a phone, under this id or a new one. */
  send(sender: Sender, clientTransactionId?: string): Promise<SendAnswer>;
  /** Reads the sender's balances; returns the status. */
  read(sender: Sender): Promise<number>;
  /** Reads as this merchant, or as an administrator; returns the answer. Throws unless it is a success. */
  get(path: string, sender?: Sender): Promise<object>;
  /** Writes as an administrator; returns the answer. Throws unless it is a success. */
  post(path: string, body: object): Promise<object>;
  /** Registers merchants and funds them. */
  makeSenders(count: number): Promise<Sender[]>;
  audit(): Promise<{ holds: boolean; invariants: { id: string; checked: number; violations: number }[] }>;
  close(): Promise<void>;
}

const ADMIN = { username: 'admin@vuka.test', pin: '2468' };
const PIN = '1357';
/** Enough for the busiest sender in books of two million transfers. */
export const FUNDS = '100000000';
/** The senders' country. */
const HOME = countryOf(RATED.source);
const SIDE_BY_SIDE = 8;
/** Simulates this many people; if one has to wait for a connection, the product is too slow. */
const CONNECTIONS = 1_024;
/** The last three digits that make the simulator misbehave. */
const SCRIPTED_SUFFIXES = new Set(['089', '099', '109', '119', '129', '789']);

const POOL = { connections: CONNECTIONS, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 };

/** Connects to a product that runs with the demo data and with rate limits far above the load. */
export async function connectProduct(run: ProductRun): Promise<Product> {
  const address = run.url;
  const pool = new Pool(address, POOL);

  async function request(method: 'GET' | 'POST', path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await pool.request({
      method,
      path,
      body: body ? JSON.stringify(body) : null,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const answer = (await response.body.json()) as Record<string, unknown>;
    if (response.statusCode >= 300)
      throw new Error(`${method} ${path}: ${response.statusCode} ${JSON.stringify(answer)}`);
    return { answer, cookie: String(response.headers['set-cookie'] ?? '').split(';')[0] ?? '' };
  }

  await liftLimits(address).catch(tolerateOlder);
  const { cookie: adminCookie } = await request('POST', '/api/login', ADMIN);

  async function makeSender(): Promise<Sender> {
    const { answer, cookie } = await request('POST', '/api/register', {
      name: 'Bench Merchant',
      email: `${randomUUID()}@bench.test`,
      phoneNumber: `${prefixOf(HOME)}7${String(randomInt(1e8)).padStart(8, '0')}`,
      pin: PIN,
      defaultCurrency: RATED.source,
      country: COUNTRIES[HOME].name,
    });
    const { merchantId } = answer.merchantData as { merchantId: string };
    const credit = { merchantId, amount: FUNDS, currency: RATED.source };
    await request('POST', '/api/admin/credit-balance', credit, { cookie: adminCookie });
    return { cookie, pin: PIN };
  }

  return {
    address,
    transfersDatabaseUrl: run.databaseUrlOf('transfers'),
    servicePids: run.servicePids,
    async send(sender, clientTransactionId = newClientTransactionId()) {
      const response = await pool.request({
        method: 'POST',
        path: '/api/transactions/create',
        headers: { 'content-type': 'application/json', cookie: sender.cookie },
        body: JSON.stringify(toPhone(sender, clientTransactionId)),
      });
      const answer = (await response.body.json()) as { transaction?: { id: string } };
      const retryAfter = Number(response.headers['retry-after']);
      return {
        status: response.statusCode,
        transferId: answer.transaction?.id,
        retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
      };
    },
    async read(sender) {
      const response = await pool.request({ method: 'GET', path: '/api/balances', headers: { cookie: sender.cookie } });
      await response.body.dump();
      return response.statusCode;
    },
    get: async (path, sender) =>
      (await request('GET', path, undefined, { cookie: sender?.cookie ?? adminCookie })).answer,
    post: async (path, body) => (await request('POST', path, body, { cookie: adminCookie })).answer,
    async makeSenders(count) {
      // Credits need a recently checked PIN.
      await request('POST', '/api/admin/step-up', { pin: ADMIN.pin }, { cookie: adminCookie }).catch(tolerateOlder);
      const senders: Sender[] = [];
      const worker = async () => {
        while (senders.length < count) senders.push(await atLast(makeSender));
      };
      await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, count) }, worker));
      return senders.slice(0, count);
    },
    async audit() {
      const { answer } = await request('GET', '/api/admin/ledger/audit', undefined, { cookie: adminCookie });
      return answer as Awaited<ReturnType<Product['audit']>>;
    },
    close: () => pool.close(),
  };
}

/** Older checkouts, which a comparison may run, have neither a second demo administrator nor the PIN confirmation. */
function tolerateOlder(error: Error): void {
  if (!/: 40[14] /.test(error.message)) throw error;
}

/** On a busy machine, one of a thousand registrations may time out. */
async function atLast<Result>(attempt: () => Promise<Result>, triesLeft = 5): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (triesLeft === 0) throw error;
    await delay(1_000);
    return atLast(attempt, triesLeft - 1);
  }
}

export function newClientTransactionId(): string {
  return `CLIENT-${randomUUID()}`;
}

function toPhone({ pin }: Sender, clientTransactionId: string) {
  return {
    direction: RATED.direction,
    sourceAmount: '100',
    sourceCurrency: RATED.source,
    targetAmount: '2303',
    targetCurrency: RATED.target,
    recipientPhone: randomPhone(),
    pin,
    clientTransactionId,
  };
}

function randomPhone(): string {
  for (;;) {
    const number = `${recipientPrefix(RATED.direction)}76345${String(randomInt(1e4)).padStart(4, '0')}`;
    if (!SCRIPTED_SUFFIXES.has(number.slice(-3))) return number;
  }
}
