import { setTimeout as delay } from 'node:timers/promises';
import type { Product, Sender } from './product.ts';
import { query } from './servers.ts';
import { closedLoop, openLoop, warmUp } from './transfers-bench.ts';
import { median } from './yardstick.ts';

/** Figures by name; smaller is better except where the name says "per s". */
export type Figures = Record<string, number>;

export interface GrowthLoad {
  senders: Sender[];
  /** The merchant with the most transfers, whose history is read. */
  busiest: Sender;
  /** Seconds per measurement of a load. */
  seconds: number;
  serverUrl: string;
}

/** Each read is made this often; the first answers may come from a cold cache and do not count. */
const READS = 15;
const COLD_READS = 3;
const LOADS = 3;
const RECONCILED_MS = 300_000;
const ATTEMPT_MS = 1_000;

/**
 * Takes every figure on a running product. Latencies are measured at `perSecond` orders per second, by default half of
 * what the product settles.
 */
export async function takeFigures(product: Product, load: GrowthLoad, perSecond?: number): Promise<Figures> {
  return {
    'first audit, s': await timeAudit(product),
    ...(await takeReads(product, load)),
    ...(await takeLoads(product, load, perSecond)),
    ...(await takeReconciliation(product)),
  };
}

/** Times the first audit after a start, which reads the whole ledger; later ones read only new entries. */
async function timeAudit(product: Product): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const audit = await product.audit().catch(() => undefined);
    if (audit && !audit.holds) throw new Error(`the ledger does not hold: ${JSON.stringify(audit.invariants)}`);
    if (audit) return seconds(performance.now() - startedMs);
    await delay(ATTEMPT_MS);
  }
}

const seconds = (ms: number) => Math.round(ms / 100) / 10;

async function takeReads(product: Product, { busiest }: GrowthLoad): Promise<Figures> {
  const own = (path: string) => product.get(path, busiest);
  const newest = (await own('/api/transactions?limit=50')) as { id: string; recipientPhone: string | null }[];
  const last = newest.findLast(({ recipientPhone }) => recipientPhone?.startsWith('+'));
  if (!last) throw new Error('the busiest merchant has no transfers');
  const today = new Date().toISOString().slice(0, 10);
  const reads: Record<string, () => Promise<unknown>> = {
    'list, ms': () => own('/api/transactions?limit=20'),
    'list of failed, ms': () => own('/api/transactions?limit=20&status=FAILED'),
    'search by number, ms': () => own(`/api/transactions?limit=20&q=${last.recipientPhone?.slice(-9)}`),
    'search without a hit, ms': () => own('/api/transactions?limit=20&q=799999999'),
    'search by amount, ms': () => own('/api/transactions?limit=20&q=987654'),
    'receipt, ms': () => own(`/api/transactions/${last.id}`),
    'timeline, ms': () => own(`/api/transactions/${last.id}/timeline`),
    'statement of today, ms': () => own(`/api/statement?from=${today}&to=${today}`),
    'month so far, ms': () => own('/api/statement/this-month'),
    'balances, ms': () => own('/api/balances'),
    'dashboard, ms': () => product.get('/api/admin/overview'),
    'stuck list, ms': () => product.get('/api/admin/stuck-transactions'),
    'merchants, ms': () => product.get('/api/admin/merchants?limit=20'),
    'audit of what is new, ms': () => product.audit(),
  };
  const figures: Figures = {};
  for (const [name, read] of Object.entries(reads)) figures[name] = await timeReads(read);
  return figures;
}

async function timeReads(read: () => Promise<unknown>): Promise<number> {
  const tookMs: number[] = [];
  for (let turn = 0; turn < READS; turn++) {
    const startedMs = performance.now();
    await read();
    if (turn >= COLD_READS) tookMs.push(performance.now() - startedMs);
  }
  return Math.round(median(tookMs) * 10) / 10;
}

async function takeLoads(
  product: Product,
  { senders, seconds: length, serverUrl }: GrowthLoad,
  perSecond: number | undefined,
): Promise<Figures> {
  await warmUp(product, senders, length * 2);
  const rounds: Figures[] = [];
  for (let round = 0; round < LOADS; round++) {
    const walBefore = await walKb(serverUrl);
    const full = await closedLoop(product, senders, { name: 'closed loop', clients: 256, seconds: length });
    const wal = (await walKb(serverUrl)) - walBefore;
    const half = perSecond ?? Math.max(1, Math.round(full.settledPerSecond / 2));
    const relaxed = await openLoop(product, senders, { name: 'open loop', perSecond: half, seconds: length });
    rounds.push({
      'settled per s': full.settledPerSecond,
      'processor ms per transfer': full.processorMs?.all ?? Number.NaN,
      'WAL kB per transfer': wal / full.accepted,
      'accept p50, ms': relaxed.acceptP50Ms,
      'accept p99, ms': relaxed.acceptP99Ms,
      'accept to settled p50, ms': relaxed.settleP50Ms,
    });
  }
  const names = Object.keys(rounds[0] ?? {});
  const middle = (name: string) => Math.round(median(rounds.map((round) => round[name] ?? Number.NaN)) * 10) / 10;
  return Object.fromEntries(names.map((name) => [name, middle(name)]));
}

async function walKb(serverUrl: string): Promise<number> {
  const [row] = await query(serverUrl, `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') / 1024 as kb`);
  return Number(row?.kb);
}

/** Reconciles the current day, which has the payouts of this measurement, with the provider's statement. */
async function takeReconciliation(product: Product): Promise<Figures> {
  const path = '/api/admin/reconciliation';
  const day = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10);
  const startedMs = performance.now();
  const run = (await product.post(`${path}/runs`, { day })) as { id: string };
  for (;;) {
    const { runs } = (await product.get(path)) as { runs: { id: string; state: string; error: string | null }[] };
    const found = runs.find(({ id }) => id === run.id);
    if (found?.state === 'failed') throw new Error(`the reconciliation failed: ${found.error}`);
    if (found?.state === 'completed') break;
    if (performance.now() - startedMs > RECONCILED_MS) throw new Error('the reconciliation takes too long');
    await delay(100);
  }
  return { 'reconciliation of today, s': seconds(performance.now() - startedMs) };
}
