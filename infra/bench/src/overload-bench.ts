import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { measureCpu } from './cpu-share.ts';
import { percentile } from './percentile.ts';
import type { Product, Sender } from './product.ts';
import { closedLoop, drained, pick } from './transfers-bench.ts';

export interface OverloadResult {
  /** Transfers settled per second by 256 clients that wait for their answers. */
  capacity: number;
  /** Orders sent, accepted and refused per second. */
  offered: number;
  accepted: number;
  refused: number;
  /** Answers to orders that were neither 201 nor a 503 with Retry-After, by status; 0 for no answer. */
  surprises: Record<string, number>;
  calm: Quantiles;
  overload: Quantiles;
  refusalP99Ms: number;
  /**
   * Seconds from the end of the load until both quantiles had returned to their level before it, or null if they did
   * not in the time watched.
   */
  recoveredAfterSeconds: number | null;
  /** The longest delay of the generator itself, ms. */
  generatorLagMs: number;
  books: { accepted: number; inTheBooks: number; settledOnce: number; auditHolds: boolean };
  cpu: number | null;
}

interface Quantiles {
  acceptP50Ms: number;
  acceptP99Ms: number;
  /** From acceptance until a worker began the transfer. */
  begunP50Ms: number;
  begunP99Ms: number;
  settleP50Ms: number;
  settleP99Ms: number;
  readP50Ms: number;
  readP99Ms: number;
}

interface Answer {
  /** The scheduled time, from the start of the phase. */
  dueMs: number;
  tookMs: number;
  status: number;
  transferId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

interface Phase {
  startedAtMs: number;
  orders: Answer[];
  reads: Answer[];
  lagMs: number;
}

const READS_PER_SECOND = 20;
const TIMES = 3;
const CALM_SHARE = 0.25;
/** A second counts as recovered if it is at most this many times the worst second before the load. */
const AS_BEFORE = 1.5;

/** Sends three times the orders that the product can carry out, and measures how it behaves and when it recovers. */
export async function benchOverload(
  product: Product,
  senders: Sender[],
  lengths: { measureSeconds: number; overloadSeconds: number; watchSeconds: number },
  say: (line: string) => void,
): Promise<OverloadResult> {
  const { measureSeconds, overloadSeconds, watchSeconds } = lengths;
  const clients = { name: 'capacity', clients: 256, seconds: measureSeconds };
  await closedLoop(product, senders, { ...clients, seconds: measureSeconds / 2 });
  const since = new Date();
  const { settledPerSecond: capacity, accepted: before } = await closedLoop(product, senders, clients);
  const quiet = Math.max(1, Math.round(capacity * CALM_SHARE));
  say(`  capacity ${capacity} per second; ${quiet} per second before and after, ${capacity * TIMES} in between ...`);
  const cpu = measureCpu();
  const calm = await openLoads(product, senders, quiet, measureSeconds);
  await drained(product, since);
  const overload = await openLoads(product, senders, capacity * TIMES, overloadSeconds);
  const after = await openLoads(product, senders, quiet, watchSeconds);
  const share = cpu();
  await drained(product, since);
  const settled = await readEnds(product, since);
  const good = overload.orders.filter(isAccepted);
  const refused = overload.orders.filter(isRefused);
  const phases = [calm, overload, after];
  const accepted = before + phases.flatMap((phase) => phase.orders.filter(isAccepted)).length;
  return {
    capacity,
    offered: Math.round(overload.orders.length / overloadSeconds),
    accepted: Math.round(good.length / overloadSeconds),
    refused: Math.round(refused.length / overloadSeconds),
    surprises: countSurprises(phases),
    calm: quantilesOf(calm, settled),
    overload: quantilesOf(overload, settled),
    refusalP99Ms: quantile(refused, 0.99),
    recoveredAfterSeconds: findRecovery(calm, after, settled),
    generatorLagMs: Math.round(Math.max(...phases.map((phase) => phase.lagMs))),
    books: {
      accepted,
      inTheBooks: settled.size,
      settledOnce: [...settled.values()].filter((end) => end.isOnce).length,
      auditHolds: (await product.audit()).holds,
    },
    cpu: share,
  };
}

/** Sends orders and reads at random times, without waiting for earlier answers. */
async function openLoads(product: Product, senders: Sender[], perSecond: number, seconds: number): Promise<Phase> {
  const phase: Phase = { startedAtMs: Date.now(), orders: [], reads: [], lagMs: 0 };
  const startedMs = performance.now();
  const run = async (
    rate: number,
    answers: Answer[],
    ask: (sender: Sender) => Promise<Omit<Answer, 'dueMs' | 'tookMs'>>,
  ) => {
    const pending: Promise<void>[] = [];
    let dueMs = 0;
    for (let turn = 0; ; turn++) {
      dueMs += (-Math.log(1 - Math.random()) / rate) * 1_000;
      if (dueMs > seconds * 1_000) break;
      const waitMs = dueMs - (performance.now() - startedMs);
      if (waitMs > 1) await delay(waitMs);
      phase.lagMs = Math.max(phase.lagMs, performance.now() - startedMs - dueMs);
      pending.push(askOnce(pick(senders, turn), dueMs));
    }
    await Promise.all(pending);

    /** Measured from the scheduled time, so that a late generator hides nothing. */
    async function askOnce(sender: Sender, at: number) {
      const answer = await ask(sender).catch(() => ({ status: 0 }));
      answers.push({ ...answer, dueMs: at, tookMs: performance.now() - startedMs - at });
    }
  };
  await Promise.all([
    run(perSecond, phase.orders, (sender) => product.send(sender)),
    run(READS_PER_SECOND, phase.reads, async (sender) => ({ status: await product.read(sender) })),
  ]);
  return phase;
}

const isAccepted = (answer: Answer) => answer.status === 201;
const isRefused = (answer: Answer) => answer.status === 503 && answer.retryAfterSeconds !== undefined;

function countSurprises(phases: Phase[]): Record<string, number> {
  const odd = phases.flatMap(({ orders, reads }) => [
    ...orders.filter((answer) => !isAccepted(answer) && !isRefused(answer)),
    ...reads.filter((answer) => answer.status !== 200),
  ]);
  const counts: Record<string, number> = {};
  for (const { status } of odd) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

interface End {
  begunMs: number;
  settleMs: number;
  isOnce: boolean;
}

/** The outcome of each transfer since then, by its id. */
async function readEnds(product: Product, since: Date): Promise<Map<string, End>> {
  const client = new pg.Client({ connectionString: product.transfersDatabaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select t.id, (extract(epoch from t.updated_at - t.created_at) * 1000)::float8 as settled,
        (select extract(epoch from min(l.timestamp) - t.created_at) * 1000 from transaction_lifecycle l
          where l.transaction_id = t.id and l.status <> 'PENDING')::float8 as begun,
        t.status = 'SETTLED'
        and (select count(*) from transaction_lifecycle l where l.transaction_id = t.id and l.status = 'SETTLED') = 1
        and (select count(*) from money_transfers p where p.transaction_id = t.id and p.state = 'completed') = 1 as once
      from transactions t where t.created_at >= $1`,
      [since],
    );
    return new Map(rows.map((row) => [row.id, { begunMs: row.begun, settleMs: row.settled, isOnce: row.once }]));
  } finally {
    await client.end();
  }
}

const sorted = (values: number[]) => values.sort((a, b) => a - b);
const quantile = (answers: Answer[], share: number) => percentile(sorted(answers.map(({ tookMs }) => tookMs)), share);

function timesOf(answers: Answer[], ends: Map<string, End>, what: 'begunMs' | 'settleMs' = 'settleMs'): number[] {
  return sorted(answers.flatMap(({ transferId }) => ends.get(transferId ?? '')?.[what] ?? []));
}

function quantilesOf(phase: Phase, ends: Map<string, End>): Quantiles {
  const accepted = phase.orders.filter(isAccepted);
  const settled = timesOf(accepted, ends);
  const begun = timesOf(accepted, ends, 'begunMs');
  return {
    acceptP50Ms: quantile(accepted, 0.5),
    acceptP99Ms: quantile(accepted, 0.99),
    begunP50Ms: percentile(begun, 0.5),
    begunP99Ms: percentile(begun, 0.99),
    settleP50Ms: percentile(settled, 0.5),
    settleP99Ms: percentile(settled, 0.99),
    readP50Ms: quantile(phase.reads, 0.5),
    readP99Ms: quantile(phase.reads, 0.99),
  };
}

/** The first whole second after the load from which accept and settle times stay at their level before it. */
function findRecovery(calm: Phase, after: Phase, ends: Map<string, End>): number | null {
  const worst = (seconds: Second[], of: keyof Second) => Math.max(...seconds.map((second) => second[of]));
  const before = secondsOf(calm, ends);
  const limits = { acceptMs: worst(before, 'acceptMs') * AS_BEFORE, settleMs: worst(before, 'settleMs') * AS_BEFORE };
  const isAsBefore = (second: Second) =>
    second.refused === 0 && second.acceptMs <= limits.acceptMs && second.settleMs <= limits.settleMs;
  const seconds = secondsOf(after, ends);
  const lastBad = seconds.findLastIndex((second) => !isAsBefore(second));
  return lastBad === seconds.length - 1 ? null : lastBad + 1;
}

interface Second {
  acceptMs: number;
  settleMs: number;
  refused: number;
}

/** The 99th percentiles of each second, by the orders' scheduled times. */
function secondsOf(phase: Phase, ends: Map<string, End>): Second[] {
  const count = Math.floor(Math.max(...phase.orders.map(({ dueMs }) => dueMs)) / 1_000);
  return Array.from({ length: count }, (_, index) => {
    const due = phase.orders.filter(({ dueMs }) => Math.floor(dueMs / 1_000) === index);
    const accepted = due.filter(isAccepted);
    return {
      acceptMs: quantile(accepted, 0.99),
      settleMs: percentile(timesOf(accepted, ends), 0.99),
      refused: due.length - accepted.length,
    };
  });
}

/** Prints the result as Markdown tables. */
export function printOverload(result: OverloadResult, say: (line: string) => void): void {
  const { calm, overload, books } = result;
  const pair = (p50: number, p99: number) => `${Math.round(p50)} / ${Math.round(p99)}`;
  say('\n| p50 / p99, ms | accept | accept to begun | accept to settled | read |');
  say('|---|---|---|---|---|');
  for (const [name, q] of [
    ['calm before', calm],
    ['three times its capacity', overload],
  ] as const) {
    const accept = pair(q.acceptP50Ms, q.acceptP99Ms);
    const begun = pair(q.begunP50Ms, q.begunP99Ms);
    say(
      `| ${name} | ${accept} | ${begun} | ${pair(q.settleP50Ms, q.settleP99Ms)} | ${pair(q.readP50Ms, q.readP99Ms)} |`,
    );
  }
  say('\n| three times its capacity | |');
  say('|---|---|');
  say(`| capacity, settled per s | ${result.capacity} |`);
  say(`| offered, accepted, refused per s | ${result.offered}, ${result.accepted}, ${result.refused} |`);
  say(`| answers but 201 and 503 with Retry-After; failed reads | ${JSON.stringify(result.surprises)} |`);
  say(`| p99 of a refusal, ms | ${Math.round(result.refusalP99Ms)} |`);
  say(`| recovered after the load, s | ${result.recoveredAfterSeconds ?? 'not in the time watched'} |`);
  say(
    `| accepted; in the books; settled and paid once | ${books.accepted}; ${books.inTheBooks}; ${books.settledOnce} |`,
  );
  say(`| the ledger's audit | ${books.auditHolds ? 'holds' : 'VIOLATED'} |`);
  say(`| longest delay of the generator, ms | ${result.generatorLagMs} |`);
}
