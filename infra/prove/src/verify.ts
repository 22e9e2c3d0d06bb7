import type { ApiClient } from '@vuka/local/testing/api-client';
import { type Booked, readBooked } from '@vuka/local/testing/booked';
import type { WalletCurrency } from '@vuka/money/corridors';
import { corridorOf } from '@vuka/money/directions';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import type { Administrator } from './administrators.ts';
import type { Struck } from './bundle.ts';
import { LATE_WITHIN_MS } from './calls.ts';
import { checkAfterwards } from './check-afterwards.ts';
import { checkAuditTrail } from './check-audit-trail.ts';
import { type Books, checkBooks } from './check-books.ts';
import { checkCallLog } from './check-call-log.ts';
import { checkCallbacks, findDifferent, readObjections } from './check-callbacks.ts';
import { checkDecisions, readWithdrawals } from './check-decisions.ts';
import { checkFailures } from './check-failures.ts';
import { checkFirstRefusals } from './check-first-refusals.ts';
import { checkIncome } from './check-income.ts';
import { checkPayments } from './check-payments.ts';
import { checkPrices, readPriced } from './check-prices.ts';
import { checkReconciliation } from './check-reconciliation.ts';
import { checkRefusals } from './check-refusals.ts';
import { checkStatements } from './check-statements.ts';
import { databaseUrl } from './database-url.ts';
import type { Recipients } from './draw-order.ts';
import { meeting, repeatsRequests, setsClocks, type Window, windowsOf } from './fault-windows.ts';
import { type History, isAcknowledged, isRefused, type Order } from './history.ts';
import type { Merchant } from './merchants.ts';
import { checkBalances, type Holder, movedOf } from './moved.ts';
import { query } from './postgres-node.ts';
import type { Provider } from './provider.ts';
import { type ProviderRecord, readProviderRecord } from './provider-record.ts';
import { type BrokerAddresses, type PutAside, readPutAside } from './queues.ts';
import { findSecrets, readLogs, readSecrets, readTables, type Written } from './secrets.ts';

export interface Proof extends Books {
  /** The server of all databases, as its superuser. */
  serverUrl: string;
  databasePrefix: string;
  dataDir: string;
  /** Undefined on the embedded bus. */
  broker: BrokerAddresses | undefined;
  provider: Provider;
  admin: Administrator;
  approver: Administrator;
  merchants: readonly Merchant[];
  recipients: Recipients;
  struck: readonly Struck[];
  /** When a standby of Postgres was promoted, ms. */
  promotions: readonly number[];
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
  /** How many accepted callbacks had other figures than their order. */
  differentCallbacks: number;
}

const PUBLISHED_MS = 10_000;
/** A repeated request arrives within this time. */
const REPEATED_MS = 5_000;
const DONE_MS = 30_000;

/** Compares the history of all requests, our books, and what was recorded of the provider. */
export async function verify(history: History, proof: Proof): Promise<Verdict> {
  const database = new pg.Client({ connectionString: proof.transfersDatabaseUrl });
  await database.connect();
  try {
    const rows = await readBooked(database);
    await untilProviderIsDone(proof.provider);
    const record = await readProviderRecord(proof.provider.recordFile);
    const verdict: Verdict = {
      transfers: rows.length,
      settled: rows.filter(({ status }) => status === 'SETTLED').length,
      failed: rows.filter(({ status }) => status === 'FAILED').length,
      lost: [],
      doubled: [],
      violations: [...history.surprises],
      differentCallbacks: 0,
    };
    verdict.violations.push(...(await checkOutboxes(proof)));
    checkOrders(history, rows, { verdict, struck: proof.struck });
    const { lost, doubled, violations } = checkPayments(rows.filter(isPaidByNetwork), record);
    verdict.lost.push(...lost);
    verdict.doubled.push(...doubled);
    verdict.violations.push(...violations);
    const different = findDifferent(rows, record.completions);
    verdict.differentCallbacks = different.length;
    verdict.violations.push(...checkCallbacks(different, await readObjections(database)));
    const moved = movedOf(history, rows);
    const holders = holdersOf(proof);
    verdict.violations.push(...(await checkBalances([...holders, ...administratorsOf(proof)], moved)));
    verdict.violations.push(...(await checkStatements(holders, moved)));
    await checkLedger(proof.admin.client, verdict);
    verdict.violations.push(...(await checkRecords(history, proof, { database, rows, record })));
    verdict.violations.push(...(await checkReconciliation(proof.admin, database, record.payments)));
    const admins = databaseUrl(proof.serverUrl, proof.databasePrefix, 'admin');
    verdict.violations.push(...(await checkAuditTrail(admins, history.decisions)));
    const callLog = databaseUrl(proof.serverUrl, proof.databasePrefix, 'integration_log');
    verdict.violations.push(...(await checkCallLog(callLog, rows.filter(isSettledPayout))));
    const putAside = await readPutAside(proof.broker, proof.admin.client);
    checkMessages(putAside, verdict);
    await checkLogs(proof.dataDir, verdict);
    await checkSecrets(history, putAside, proof, verdict);
    await untilProviderIsDone(proof.provider);
    const afterwards = checkAfterwards(rows, record, await readProviderRecord(proof.provider.recordFile));
    verdict.doubled.push(...afterwards.doubled);
    verdict.violations.push(...afterwards.violations);
    return verdict;
  } finally {
    await database.end();
  }
}

/** The checks of our books against each other, and against what clients, administrators and the recorder know. */
async function checkRecords(
  history: History,
  proof: Proof,
  { database, rows, record }: { database: pg.Client; rows: readonly Booked[]; record: ProviderRecord },
): Promise<string[]> {
  const { decisions, bankPayments, approvalLimits: limits, orders, blocked } = history;
  const { asked } = record;
  return [
    ...(await checkBooks(proof)),
    ...(await checkIncome(proof)),
    ...checkPrices(history, await readPriced(database), proof.struck),
    ...(await checkRefusals(proof, orders)),
    ...(await checkFailures(proof, rows, { asked, decisions, blocked })),
    ...checkFirstRefusals(rows, record, proof.promotions),
    ...checkDecisions(await readWithdrawals(database), { orders, decisions, bankPayments, limits, asked }),
  ];
}

/** The services that send messages. */
const WITH_OUTBOX = ['admin', 'identity', 'integration_log', 'rates', 'transfers', 'wallet'];

/** Every service has published every message. A call that was answered after the last transfer had ended makes one too. */
async function checkOutboxes({ serverUrl, databasePrefix }: Proof): Promise<string[]> {
  const found = await Promise.all(
    WITH_OUTBOX.map(async (service) => {
      const url = databaseUrl(serverUrl, databasePrefix, service);
      const isPublished = async () =>
        (await query(url, 'select 1 from outbox where published_at is null limit 1')).length === 0;
      const waited = { timeoutMs: PUBLISHED_MS, everyMs: 200, what: `every message of ${service} to be published` };
      return until(isPublished, waited).then(
        () => [],
        (error: Error) => [error.message],
      );
    }),
  );
  return found.flat();
}

/** Withdrawals to a bank have no number; an administrator pays them by hand. */
const isPaidByNetwork = (row: Booked): boolean => row.recipient_phone !== null;

const isSettledPayout = ({ status, payouts }: Booked): boolean => status === 'SETTLED' && payouts.length > 0;

/** A payout that the provider has accepted and neither paid nor failed, or a payment that it has not reported. */
const UNDONE = 'select 1 from payment_reports union all select 1 from payouts where step_at is not null limit 1';

/** The provider has ended every payout that it accepted, and reported every payment. */
async function untilProviderIsDone({ postgres }: Provider): Promise<void> {
  const database = new pg.Client({ connectionString: postgres.directUrl });
  await database.connect();
  const isDone = async () => (await database.query(UNDONE)).rowCount === 0;
  const waited = { timeoutMs: DONE_MS, everyMs: 100, what: 'the provider to end and report every payout' };
  await until(isDone, waited).finally(() => database.end());
}

/**
 * Every acknowledged order is in the books once, under the answered id; the books have no transfer without an order.
 */
function checkOrders(
  { orders, forbidden }: History,
  rows: readonly Booked[],
  { verdict, struck }: { verdict: Verdict; struck: readonly Struck[] },
): void {
  const booked = new Map(rows.map((row) => [row.client_transaction_id, row]));
  const ordered = new Set(orders.map(({ clientTransactionId }) => clientTransactionId));
  const reasons = new Map(forbidden.map(({ clientTransactionId, why }) => [clientTransactionId, why]));
  for (const order of orders) checkOrder(order, booked.get(order.clientTransactionId), verdict);
  const repeated = windowsOf(struck, repeatsRequests, REPEATED_MS);
  const exempt = windowsOf(struck, (kind) => setsClocks(kind) || /standby/.test(kind), REPEATED_MS);
  for (const order of orders) {
    const row = booked.get(order.clientTransactionId);
    if (row && (isWronglyBooked(order, repeated) || isWronglyRefused(order, row, exempt)))
      verdict.violations.push(`${order.clientTransactionId}: refused for its price, but in the books`);
  }
  for (const { id, client_transaction_id: key } of rows) {
    if (!ordered.has(key)) verdict.violations.push(`${id}: in the books, but ${reasons.get(key) ?? 'never ordered'}`);
  }
}

/**
 * An order may be refused for its price and still be booked: its first request was accepted without an answer, or the
 * network delivered a copy after the old price had returned.
 */
function isWronglyBooked(order: Order, repeated: readonly Window[]): boolean {
  const isRefused = order.isRepriced && !isAcknowledged(order) && order.unclear === 0;
  return isRefused && !meeting(repeated, { fromMs: order.sentMs, toMs: order.clearMs });
}

/** Longer than an order may take to become visible to its repeats. */
const VISIBLE_MS = 30_000;

/**
 * An order that had been in the books for so long must not be refused for its price: it was accepted. A clock that is set
 * falsifies its time, and a commit that waits for a standby is not visible.
 */
function isWronglyRefused({ sentMs, clearMs, repricedMs }: Order, row: Booked, exempt: readonly Window[]): boolean {
  if (repricedMs === undefined || row.created_at.getTime() + VISIBLE_MS >= repricedMs) return false;
  return !meeting(exempt, { fromMs: sentMs, toMs: Math.max(clearMs, repricedMs) + LATE_WITHIN_MS });
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
  if (row.recipient_phone !== order.number) violations.push(`${key}: the number differs from the order`);
  if (row.target_currency !== targetOf(order)) violations.push(`${key}: the currency differs from the order`);
}

const targetOf = ({ direction, source }: Order): WalletCurrency => (direction ? corridorOf(direction).target : source);

/** Merchants by their id, and recipients by their number: both registered during the proof. */
function holdersOf({ merchants, recipients }: Proof): Holder[] {
  return [
    ...merchants.map(({ userId, client, funds }) => ({ name: userId, client, funds })),
    ...Object.values(recipients).map(({ phone, client }) => ({ name: phone, client, funds: {} })),
  ];
}

const administratorsOf = ({ admin, approver }: Proof): Holder[] =>
  [admin, approver].map(({ userId, client, funds }) => ({ name: userId, client, funds }));

async function checkLedger(admin: ApiClient, { violations }: Verdict): Promise<void> {
  const { status, body } = await admin.get('/api/admin/ledger/audit');
  const invariants = body.invariants ?? [];
  if (status !== 200) violations.push(`the ledger audit answers ${status}`);
  else if (invariants.length === 0) violations.push('the ledger audit checked nothing');
  for (const { id, statement, violations: count } of invariants) {
    if (count > 0) violations.push(`ledger ${id}: ${count} violations of "${statement}"`);
  }
}

/** Database errors about work that was already done or that contradicts the data. */
const REFUSED = /duplicate key|violates|and final/;

/** No consumer gave up on a message, and no database had to refuse a consumer's repeated work. */
function checkMessages(putAside: readonly PutAside[], { violations }: Verdict): void {
  for (const { queue, isDead, reason } of putAside) {
    if (isDead) violations.push(`${queue}: a dead message, ${reason}`);
    else if (REFUSED.test(reason)) violations.push(`${queue}: a message was refused, ${reason}`);
  }
}

/** No database refused anything else: a constraint violation means that the code had made a wrong decision. */
async function checkLogs(dataDir: string, { violations }: Verdict): Promise<void> {
  const refused = new Map<string, number>();
  for await (const { place, text } of readLogs(dataDir)) {
    const errors = [...text.replaceAll('\\"', "'").matchAll(/"(?:message|err)":"([^"]*)"/g)];
    const reason = errors.map(([, message = '']) => message).find((message) => REFUSED.test(message));
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
  { admin, approver, merchants, recipients, dataDir, serverUrl, databasePrefix, provider }: Proof,
  { violations }: Verdict,
): Promise<void> {
  const secrets = await readSecrets(dataDir);
  secrets.set('token of the provider', provider.settings.PAWAPAY_TOKEN ?? '');
  const users = [admin, approver, ...Object.values(recipients), ...merchants];
  users.forEach(({ client: { cookies } }, index) => {
    for (const { name, value } of cookies) if (value !== '') secrets.set(`${name} of user ${index}`, value);
  });
  async function* places(): AsyncIterable<Written> {
    yield* readLogs(dataDir);
    yield* readTables(serverUrl, databasePrefix);
    for (const { queue, body } of putAside) yield { place: `queue ${queue}`, text: body };
    for (const text of errorBodies) yield { place: 'an answer', text };
  }
  violations.push(...(await findSecrets(places(), secrets)));
}
