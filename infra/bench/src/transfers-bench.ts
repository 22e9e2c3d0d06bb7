import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { measureCpu } from './cpu-share.ts';
import { percentile } from './percentile.ts';
import { measureProcessor, type ProcessorMs, perItem } from './processor-time.ts';
import { newClientTransactionId, type Product, type Sender } from './product.ts';

export interface LoadResult {
  name: string;
  accepted: number;
  /** Answers with 503; each order was retried after its Retry-After. */
  refused: number;
  /** Transfers settled per second, from the first request to the last settlement. */
  settledPerSecond: number;
  acceptP50Ms: number;
  acceptP99Ms: number;
  settleP50Ms: number;
  settleP99Ms: number;
  cpu: number | null;
  /** Processor time per settled transfer by process, ms, and that of all; undefined if the system has no figures. */
  processorMs: ProcessorMs | undefined;
}

interface Measured {
  accepted: number;
  refused: number;
  latenciesMs: number[];
}

const DRAIN_DEADLINE_MS = 60_000;

/**
 * Applies full load until V8 has compiled the hot paths: the first 6,000 orders of a gateway take three times the
 * processor time of later ones, which is untypical of a service that runs for days.
 */
export async function warmUp(product: Product, senders: Sender[], seconds: number): Promise<void> {
  await closedLoop(product, senders, { name: 'warm-up', clients: 256, seconds });
}

/** The results of the full load, and of half of the rate that it settled, after a warm-up. */
export interface TwoLoads {
  full: LoadResult;
  half: LoadResult;
  /** The orders per second of the half load. */
  perSecond: number;
}

/** Measures both loads. `perSecond` fixes the half load; with 0 it is half of what the full load settled. */
export async function takeTwoLoads(
  product: Product,
  { merchants, seconds, perSecond }: { merchants: number; seconds: number; perSecond: number },
): Promise<TwoLoads> {
  const senders = await product.makeSenders(merchants);
  await warmUp(product, senders, seconds * 2);
  const full = await closedLoop(product, senders, { name: 'full', clients: 256, seconds });
  const half = perSecond || Math.max(1, Math.round(full.settledPerSecond / 2));
  const relaxed = await openLoop(product, senders, { name: 'half', perSecond: half, seconds });
  return { full, half: relaxed, perSecond: half };
}

/** A closed loop: each client sends its next transfer when the last one is accepted. */
export function closedLoop(
  product: Product,
  senders: Sender[],
  load: { name: string; clients: number; seconds: number },
) {
  return measure(product, load.name, async (measured) => {
    const endsAtMs = performance.now() + load.seconds * 1_000;
    const client = async (index: number) => {
      for (let turn = index; performance.now() < endsAtMs; turn += load.clients) {
        await sendOne(product, pick(senders, turn), measured, endsAtMs);
      }
    };
    await Promise.all(Array.from({ length: load.clients }, (_, index) => client(index)));
  });
}

/** An open loop: transfers at random times, this many per second, without waiting for earlier answers. */
export function openLoop(
  product: Product,
  senders: Sender[],
  load: { name: string; perSecond: number; seconds: number },
) {
  return measure(product, load.name, async (measured) => {
    const startedMs = performance.now();
    const pending: Promise<void>[] = [];
    let dueMs = 0;
    for (let turn = 0; dueMs < load.seconds * 1_000; turn++) {
      dueMs += (-Math.log(1 - Math.random()) / load.perSecond) * 1_000;
      const waitMs = dueMs - (performance.now() - startedMs);
      if (waitMs > 1) await delay(waitMs);
      pending.push(sendOne(product, pick(senders, turn), measured, startedMs + load.seconds * 1_000));
    }
    await Promise.all(pending);
  });
}

async function measure(
  product: Product,
  name: string,
  run: (measured: Measured) => Promise<void>,
): Promise<LoadResult> {
  const measured: Measured = { accepted: 0, refused: 0, latenciesMs: [] };
  const cpu = measureCpu();
  const processor = measureProcessor(product.servicePids);
  const startedAt = new Date();
  await run(measured);
  const settled = await drained(product, startedAt);
  const used = processor();
  measured.latenciesMs.sort((a, b) => a - b);
  return {
    name,
    accepted: measured.accepted,
    refused: measured.refused,
    settledPerSecond: settled.perSecond,
    acceptP50Ms: percentile(measured.latenciesMs, 0.5),
    acceptP99Ms: percentile(measured.latenciesMs, 0.99),
    settleP50Ms: settled.p50Ms,
    settleP99Ms: settled.p99Ms,
    cpu: cpu(),
    processorMs: used && perItem(used, settled.count),
  };
}

/** Sends an order until it is accepted. After a 503 it waits for Retry-After, then repeats the order under its id. */
async function sendOne(product: Product, sender: Sender, measured: Measured, endsAtMs: number): Promise<void> {
  const id = newClientTransactionId();
  for (;;) {
    const startedMs = performance.now();
    const answer = await product.send(sender, id);
    if (answer.transferId !== undefined) {
      measured.latenciesMs.push(performance.now() - startedMs);
      measured.accepted += 1;
      return;
    }
    measured.refused += 1;
    if (answer.status !== 503) throw new Error(`an order was answered with ${answer.status}`);
    const waitMs = (answer.retryAfterSeconds ?? 1) * 1_000;
    if (performance.now() + waitMs > endsAtMs) return;
    await delay(waitMs);
  }
}

export function pick(senders: Sender[], turn: number): Sender {
  const sender = senders[turn % senders.length];
  if (!sender) throw new Error('there are no senders');
  return sender;
}

/** Waits until no transfer is open, then reads from the books how long each took from acceptance to settlement. */
export async function drained(product: Product, since: Date) {
  const client = new pg.Client({ connectionString: product.transfersDatabaseUrl });
  await client.connect();
  try {
    const deadlineMs = performance.now() + DRAIN_DEADLINE_MS;
    for (;;) {
      const open = await client.query(
        "select count(*)::int as open from transactions where created_at >= $1 and status in ('PENDING', 'PROCESSING')",
        [since],
      );
      if (open.rows[0].open === 0) break;
      if (performance.now() > deadlineMs) throw new Error(`${open.rows[0].open} transfers did not end`);
      await delay(200);
    }
    const { rows } = await client.query(
      `select count(*)::int as count,
         coalesce(count(*) / nullif(extract(epoch from max(updated_at) - min(created_at)), 0), 0)::float8 as per_second,
         coalesce(percentile_cont(0.5) within group (order by extract(epoch from updated_at - created_at)), 0)::float8 * 1000 as p50,
         coalesce(percentile_cont(0.99) within group (order by extract(epoch from updated_at - created_at)), 0)::float8 * 1000 as p99
       from transactions where created_at >= $1 and status = 'SETTLED'`,
      [since],
    );
    const [row] = rows;
    const count: number = row.count;
    return { count, perSecond: Math.round(row.per_second), p50Ms: Math.round(row.p50), p99Ms: Math.round(row.p99) };
  } finally {
    await client.end();
  }
}
