import { isIP } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { parseMoney } from '@vuka/money';
import { COUNTRIES } from '@vuka/money/corridors';
import { COUNTRY_CODES } from '@vuka/money/directions';
import { MOBILE } from '@vuka/money/mobile-networks';
import { parse } from 'csv-parse';
import { Agent, type Dispatcher, request } from 'undici';
import * as z from 'zod/mini';
import type { StatementLine, StatementNeeds, StatementPeriod, StatementResult } from '../payout-provider.ts';
import { isInner, resolveOuter } from './outer-addresses.ts';
import type { Exchange, PawapayHttp } from './pawapay-http.ts';

// pawaPay's statements: requested per wallet, generated asynchronously, and downloaded as CSV from a URL that expires.
// The columns are those in the documentation of its dashboard. A missing column makes the statement unreadable, never
// empty.

const WALLETS = COUNTRY_CODES.map((code) => ({ country: MOBILE[code].alpha3, currency: COUNTRIES[code].currency }));
const COLUMNS = ['Creation Date', 'MSISDN', 'Transaction ID', 'Amount', 'Currency', 'Type'] as const;
/** Other types, such as fees and top-ups, belong to no payout. */
const PAYMENT = /^(payout|remittance)$/i;
const MAX_BYTES = 64 * 1024 * 1024;
const LONGEST_ROW = 10_000;
const LARGEST_CHUNK = 64 * 1024;

const Initiated = z.object({ statementId: z.string(), status: z.literal('ACCEPTED') });
const Status = z.union([
  z.object({ status: z.literal('COMPLETED'), downloadUrl: z.url() }),
  z.object({ status: z.literal('PROCESSING') }),
  z.object({ status: z.literal('FAILED') }),
]);
const Row = z.object({
  'Creation Date': z.string(),
  MSISDN: z.string(),
  'Transaction ID': z.string(),
  Amount: z.string(),
  Currency: z.string(),
  Type: z.string(),
});

export interface StatementOptions {
  http: PawapayHttp;
  /** The API's own URL: statements may be downloaded from its origin, or from anywhere over HTTPS. */
  baseUrl: string;
  /** Called for every exchange with the API. */
  onExchange: (operation: string, method: 'GET' | 'POST', exchange: Exchange, body?: string) => void;
  /** The polling interval, ms. */
  pollMs?: number;
  /** How long generating a statement may take, ms. */
  patienceMs?: number;
}

type TakePayment = (payment: StatementLine) => void;
class TooManyPayments extends Error {}

/** The needed payments of a period, from every wallet. Never throws: an incomplete statement is `unavailable`. */
export async function readPawapayStatement(
  options: StatementOptions,
  period: StatementPeriod,
  { isNeeded, most }: StatementNeeds,
): Promise<StatementResult> {
  const lines: StatementLine[] = [];
  // Counted while the statements arrive: if they were counted afterwards, they might have filled the memory.
  const take: TakePayment = (payment) => {
    if (isNeeded(payment) && lines.push(payment) > most) throw new TooManyPayments();
  };
  try {
    for (const wallet of WALLETS) await download(options, await makeStatement(options, wallet, period), take);
    return { kind: 'lines', lines };
  } catch (error) {
    if (error instanceof TooManyPayments) return { kind: 'too_many' };
    return { kind: 'unavailable', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function makeStatement(
  options: StatementOptions,
  wallet: (typeof WALLETS)[number],
  period: StatementPeriod,
): Promise<URL> {
  const { http, onExchange, pollMs = 2_000, patienceMs = 300_000 } = options;
  const body = JSON.stringify({
    wallet,
    startDate: toDateTime(period.from),
    endDate: toDateTime(upToSecond(period.to)),
  });
  const asked = await http.request('POST', '/v2/statements', { body });
  onExchange('statement.initiate', 'POST', asked, body);
  const { statementId } = read(Initiated, asked, `the request for the ${wallet.currency} statement was not accepted`);
  const deadlineMs = Date.now() + patienceMs;
  for (;;) {
    const looked = await http.request('GET', `/v2/statements/${encodeURIComponent(statementId)}`);
    const found = read(Status, looked, `the status of the ${wallet.currency} statement is unknown`);
    if (found.status !== 'PROCESSING') onExchange('statement.status', 'GET', looked);
    if (found.status === 'COMPLETED') return safeUrl(found.downloadUrl, options.baseUrl);
    if (found.status === 'FAILED') throw new Error(`pawaPay could not generate the ${wallet.currency} statement`);
    if (Date.now() >= deadlineMs) throw new Error(`generating the ${wallet.currency} statement took too long`);
    await delay(pollMs);
  }
}

function read<Shape extends z.ZodMiniType>(shape: Shape, exchange: Exchange, otherwise: string): z.infer<Shape> {
  if ('error' in exchange) throw new Error(`${otherwise}: ${exchange.error}`);
  const { status, json } = exchange.answer;
  const found = shape.safeParse(json);
  if (!found.success) throw new Error(`${otherwise}: HTTP ${status}`);
  return found.data;
}

const SECOND_MS = 1_000;

/** Rounds up to the whole seconds of the API, so that a period that ends now includes the payments of this second. */
export const upToSecond = (at: Date) => new Date(Math.ceil(at.getTime() / SECOND_MS) * SECOND_MS);

/** pawaPay's times are UTC without a zone. */
function toDateTime(at: Date): string {
  return at.toISOString().slice(0, 19);
}

/** pawaPay chooses the download URL: it must not lead to a service or a machine inside our network. */
function safeUrl(text: string, baseUrl: string): URL {
  const url = new URL(text);
  if (isOfApi(url, baseUrl)) return url;
  if (url.protocol !== 'https:') throw new Error('the download URL of the statement is not HTTPS');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && isInner(host)) throw new Error('the statement is at an inner address');
  return url;
}

const isOfApi = (url: URL, baseUrl: string) => url.origin === new URL(baseUrl).origin;

async function download(options: StatementOptions, url: URL, take: TakePayment): Promise<void> {
  if (isOfApi(url, options.baseUrl)) return readPayments(options, url, { take });
  const agent = new Agent({ connect: { lookup: resolveOuter } });
  try {
    await readPayments(options, url, { take, dispatcher: agent });
  } finally {
    await agent.destroy();
  }
}

async function readPayments(
  { patienceMs = 300_000 }: StatementOptions,
  url: URL,
  { take, dispatcher }: { take: TakePayment; dispatcher?: Dispatcher },
): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  const response = await request(url, dispatcher ? { signal, dispatcher } : { signal });
  if (response.statusCode !== 200) {
    await response.body.dump();
    throw new Error(`the statement could not be downloaded: HTTP ${response.statusCode}`);
  }
  await parseStatement(response.body, take);
}

/**
 * Parses the statement while it arrives: a large one must neither fill our memory nor hold up orders. Throws when a
 * column is missing, a payment cannot be read, or the statement is too long. Reads no further once `take` throws.
 */
export function parseStatement(csv: AsyncIterable<Buffer> | Iterable<string>, take: TakePayment): Promise<void> {
  const parser = parse({ bom: true, skip_empty_lines: true, trim: true, max_record_size: LONGEST_ROW });
  return pipeline(bounded(csv), parser, (records: AsyncIterable<string[]>) => readRecords(records, take));
}

/** The parser's own bound does not count separators. */
async function* bounded(chunks: AsyncIterable<Buffer> | Iterable<string>) {
  let [bytes, rowBytes] = [0, 0];
  for await (const chunk of chunks) {
    bytes += chunk.length;
    const end = chunk.lastIndexOf('\n');
    rowBytes = end < 0 ? rowBytes + chunk.length : chunk.length - end;
    if (bytes > MAX_BYTES) throw new Error('the statement is larger than 64 MB');
    if (rowBytes > LONGEST_ROW + LARGEST_CHUNK) throw new Error('the statement has a row that is too long');
    yield chunk;
    // Without this pause, parsing chunk after chunk would hold up orders.
    await nextTurn();
  }
}

async function readRecords(records: AsyncIterable<string[]>, take: TakePayment): Promise<void> {
  let header: string[] | undefined;
  for await (const cells of records) {
    if (header) {
      const payment = toPayment(header, cells);
      if (payment) take(payment);
    } else header = knownHeader(cells);
  }
  if (!header) throw new Error('the statement is empty');
}

function knownHeader(cells: string[]): string[] {
  const missing = COLUMNS.filter((column) => !cells.includes(column));
  if (missing.length > 0) throw new Error(`the statement has no column ${missing.join(', ')}`);
  return cells;
}

/** Undefined for a line that is no payment. */
function toPayment(header: string[], cells: string[]): StatementLine | undefined {
  const row = Row.parse(Object.fromEntries(header.map((name, index) => [name, cells[index]])));
  if (!PAYMENT.test(row.Type)) return undefined;
  return {
    clientPayoutId: toId(row['Transaction ID']),
    // A debit may be written with a minus sign.
    amountMinor: parseMoney(row.Amount.replace(/^-/, '').replace(/(\.\d\d)0+$/, '$1')),
    currency: row.Currency,
    msisdn: row.MSISDN.replace(/^\+/, ''),
    recordedAt: toDate(row['Creation Date']),
  };
}

function toId(text: string): string {
  if (z.uuid().safeParse(text).success) return text.toLowerCase();
  throw new Error(`the statement has an id that is not a UUID: ${text.slice(0, 40)}`);
}

function toDate(text: string): Date {
  const at = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(at.getTime())) throw new Error(`the statement has a date that cannot be read: ${text.slice(0, 40)}`);
  return at;
}
