import type { ApiClient } from '@vuka/local/testing/api-client';
import { type Booked, type Payment, readBooked } from '@vuka/local/testing/booked';
import type { WalletCurrency } from '@vuka/money/corridors';
import { RATED } from '@vuka/money/directions';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { checkBooks } from './check-books.ts';
import { checkPayments } from './check-payments.ts';
import { type History, isAcknowledged, isRefused, type Order } from './history.ts';
import type { Merchant } from './merchants.ts';
import type { Provider } from './provider.ts';
import { readProviderRecord } from './provider-record.ts';
import { type BrokerAddresses, type PutAside, readPutAside } from './queues.ts';
import { findSecrets, readLogs, readSecrets, readTables, type Written } from './secrets.ts';

export interface Proof {
  transfersDatabaseUrl: string;
  /** The server of all databases, as its superuser. */
  serverUrl: string;
  databasePrefix: string;
  dataDir: string;
  /** Undefined on the embedded bus. */
  broker: BrokerAddresses | undefined;
  provider: Provider;
  admin: ApiClient;
  merchants: readonly Merchant[];
  /** The merchant who receives transfers, with no money at the start. */
  recipient: ApiClient;
}

export interface Verdict {
  transfers: number;
  settled: number;
  failed: number;
  /** Acknowledged but missing from the books, or never ended. */
  lost: string[];
  /** Paid more than once, or paid and returned. */
  doubled: string[];
  /** All other violations. */
  violations: string[];
}

const PUBLISHED_MS = 10_000;
const REPORTED_MS = 30_000;

/** Compares the history of all requests, our books, and what was recorded of the provider. */
export async function verify(history: History, proof: Proof): Promise<Verdict> {
  const database = new pg.Client({ connectionString: proof.transfersDatabaseUrl });
  await database.connect();
  try {
    const rows = await readBooked(database);
    await untilReported(proof.provider);
    const record = await readProviderRecord(proof.provider.recordFile);
    const verdict: Verdict = {
      transfers: rows.length,
      settled: rows.filter(({ status }) => status === 'SETTLED').length,
      failed: rows.filter(({ status }) => status === 'FAILED').length,
      lost: [],
      doubled: [],
      violations: [...history.surprises],
    };
    const isPublished = async () =>
      (await database.query('select 1 from outbox where published_at is null')).rowCount === 0;
    // A call that was answered after the last transfer had ended is recorded by a message too.
    await until(isPublished, { timeoutMs: PUBLISHED_MS, what: 'every message to be published' }).catch((error: Error) =>
      verdict.violations.push(error.message),
    );
    checkOrders(history, rows, verdict);
    const { lost, doubled, violations } = checkPayments(rows, record);
    verdict.lost.push(...lost);
    verdict.doubled.push(...doubled);
    verdict.violations.push(...violations);
    await checkBalances(history, rows, proof, verdict);
    await checkLedger(proof.admin, verdict);
    verdict.violations.push(...(await checkBooks(booksOf(proof))));
    await checkReconciliation(proof.admin, record.payments, verdict);
    const putAside = await readPutAside(proof.broker, proof.admin);
    checkMessages(putAside, verdict);
    await checkLogs(proof.dataDir, verdict);
    await checkSecrets(history, putAside, proof, verdict);
    return verdict;
  } finally {
    await database.end();
  }
}

/** The provider has reported every payment that it committed. */
async function untilReported({ postgres }: Provider): Promise<void> {
  const database = new pg.Client({ connectionString: postgres.directUrl });
  await database.connect();
  const isReported = async () => (await database.query('select from payment_reports')).rowCount === 0;
  const waited = { timeoutMs: REPORTED_MS, everyMs: 100, what: 'the provider to report every payment' };
  await until(isReported, waited).finally(() => database.end());
}

/**
 * Every acknowledged order is in the books once, under the answered id; the books have no transfer without an order.
 */
function checkOrders({ orders }: History, rows: readonly Booked[], verdict: Verdict): void {
  const booked = new Map(rows.map((row) => [row.client_transaction_id, row]));
  const ordered = new Set(orders.map(({ clientTransactionId }) => clientTransactionId));
  for (const order of orders) checkOrder(order, booked.get(order.clientTransactionId), verdict);
  for (const { id, client_transaction_id: key } of rows) {
    if (!ordered.has(key)) verdict.violations.push(`${id}: never ordered`);
  }
}

function checkOrder(order: Order, row: Booked | undefined, { lost, violations }: Verdict): void {
  const { clientTransactionId: key, acknowledged } = order;
  const ids = new Set(acknowledged);
  if (ids.size > 1) violations.push(`${key}: answered with ${ids.size} transfers`);
  if (!row) {
    if (isAcknowledged(order)) lost.push(`${key}: acknowledged, but not in the books`);
    return;
  }
  if (isAcknowledged(order) && !ids.has(row.id))
    violations.push(`${key}: answered with ${acknowledged[0]}, is ${row.id}`);
  if (isRefused(order) && row.status !== 'FAILED') violations.push(`${key}: refused, but ${row.status}`);
  if (BigInt(row.source_amount) !== order.sourceAmount) violations.push(`${key}: the amount differs from the order`);
}

/** Every balance is the initial amount and the credits, minus the amounts sent, plus the amounts received. */
async function checkBalances(history: History, rows: readonly Booked[], proof: Proof, verdict: Verdict): Promise<void> {
  const settled = new Map(
    rows.filter(({ status }) => status === 'SETTLED').map((row) => [row.client_transaction_id, row]),
  );
  const sent = new Map<string, bigint>();
  const credited = new Map<string, bigint>();
  for (const { userId, amount } of history.credits) credited.set(userId, (credited.get(userId) ?? 0n) + amount);
  let received = 0n;
  for (const { clientTransactionId, userId, payee } of history.orders) {
    const row = settled.get(clientTransactionId);
    if (!row) continue;
    sent.set(userId, (sent.get(userId) ?? 0n) + BigInt(row.source_amount) + BigInt(row.fee));
    if (payee === 'merchant') received += BigInt(row.target_amount);
  }
  const expectBalance = async (client: ApiClient, currency: WalletCurrency, cents: bigint, who: string) => {
    const { body } = await client.get('/api/balances');
    const expected = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
    const actual = body.balances?.[currency];
    if (actual !== expected) verdict.violations.push(`${who}: has ${actual} ${currency}, should have ${expected}`);
  };
  for (const { client, userId, funds } of proof.merchants) {
    await expectBalance(client, RATED.source, funds + (credited.get(userId) ?? 0n) - (sent.get(userId) ?? 0n), userId);
  }
  await expectBalance(proof.recipient, RATED.target, received, 'the recipient');
}

function booksOf({ transfersDatabaseUrl, serverUrl, databasePrefix }: Proof) {
  const walletDatabaseUrl = new URL(serverUrl);
  walletDatabaseUrl.pathname = `/${databasePrefix}_wallet`;
  return { transfersDatabaseUrl, walletDatabaseUrl: walletDatabaseUrl.toString() };
}

async function checkLedger(admin: ApiClient, { violations }: Verdict): Promise<void> {
  const { status, body } = await admin.get('/api/admin/ledger/audit');
  if (status !== 200) violations.push(`the ledger audit answers ${status}`);
  for (const { id, statement, violations: count } of body.invariants ?? []) {
    if (count > 0) violations.push(`ledger ${id}: ${count} violations of "${statement}"`);
  }
}

const RECONCILED_MS = 120_000;
/** Differences between the statement and the books. Others contradict a report, as some faults do on purpose. */
const DIFFERENCES = ['paid_without_order', 'paid_but_failed', 'paid_twice', 'different_figures', 'not_on_statement'];

const EAST_AFRICA_MS = 3 * 3_600_000;
const eastAfricanDay = ({ paidAt }: Payment) =>
  new Date(Date.parse(paidAt) + EAST_AFRICA_MS).toISOString().slice(0, 10);

/** The product's own reconciliation of every day with payments finds no difference either. */
async function checkReconciliation(
  admin: ApiClient,
  payments: readonly Payment[],
  { violations }: Verdict,
): Promise<void> {
  const path = '/api/admin/reconciliation';
  for (const day of new Set(payments.map(eastAfricanDay))) {
    const { status, body: run } = await admin.post(`${path}/runs`, { day });
    if (status !== 202) violations.push(`the reconciliation of ${day} answers ${status}`);
    const findRun = async () => (await admin.get(path)).body.runs?.find(({ id }: { id: string }) => id === run.id);
    const isDone = async () => (await findRun())?.state !== 'running';
    await until(isDone, { timeoutMs: RECONCILED_MS, everyMs: 500, what: `${day} to be reconciled` });
    const { state, error } = (await findRun()) ?? {};
    if (state !== 'completed') violations.push(`${day} was not reconciled: ${error}`);
  }
  const { body } = await admin.get(path);
  for (const { kind, payoutId } of body.exceptions ?? []) {
    if (DIFFERENCES.includes(kind)) violations.push(`payout ${payoutId}: ${kind}`);
  }
}

/** Errors of a database about work that was done before, or that contradicts its data. */
const REFUSED = /duplicate key|violates|and final/;

/** No consumer gave up on a message, and none repeated work so that its database had to stop it. */
function checkMessages(putAside: readonly PutAside[], { violations }: Verdict): void {
  for (const { queue, isDead, reason } of putAside) {
    if (isDead) violations.push(`${queue}: a dead message, ${reason}`);
    else if (REFUSED.test(reason)) violations.push(`${queue}: a message was refused, ${reason}`);
  }
}

/** Nor did a database have to stop anything else: a constraint violation means a wrong decision before. */
async function checkLogs(dataDir: string, { violations }: Verdict): Promise<void> {
  const refused = new Map<string, number>();
  for await (const { place, text } of readLogs(dataDir)) {
    const reason = /"message":"((?:duplicate key|[^"]* violates|transaction [^"]* and final)[^"]*)/.exec(text)?.[1];
    if (!reason) continue;
    const said = `${place}: ${reason.replace(/[0-9a-f-]{36}/g, '...')}`;
    refused.set(said, (refused.get(said) ?? 0) + 1);
  }
  for (const [said, times] of refused) violations.push(`${said}, ${times} times`);
}

/** No PIN, cookie, token or key in any log, table, dead or delayed message, or answer. */
async function checkSecrets(
  { errorBodies }: History,
  putAside: readonly PutAside[],
  { admin, merchants, recipient, dataDir, serverUrl, databasePrefix }: Proof,
  { violations }: Verdict,
): Promise<void> {
  const secrets = await readSecrets(dataDir);
  const clients = [admin, recipient, ...merchants.map(({ client }) => client)];
  clients.forEach(({ cookie }, index) => {
    secrets.set(`cookie ${index}`, cookie.slice(cookie.indexOf('=') + 1));
  });
  async function* places(): AsyncIterable<Written> {
    yield* readLogs(dataDir);
    yield* readTables(serverUrl, databasePrefix);
    for (const { queue, body } of putAside) yield { place: `queue ${queue}`, text: body };
    for (const text of errorBodies) yield { place: 'an answer', text };
  }
  violations.push(...(await findSecrets(places(), secrets)));
}
