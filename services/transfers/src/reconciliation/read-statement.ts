import { getHeapStatistics } from 'node:v8';
import { DAY_MS } from '@vuka/contracts/http/days';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { Db } from '#db/schema.ts';
import { recordCalls, toLog } from '#payouts/payout.store.ts';
import type { PayoutProvider, StatementLine, StatementPeriod, StatementResult } from '#payouts/payout-provider.ts';

export interface StatementDeps {
  db: Db;
  provider: PayoutProvider;
  now: () => Date;
  kickRelay: () => void;
  /** See `mostPayoutsOf`. */
  mostPayouts?: number;
}

/**
 * What a payout takes while statements are read: its id, its payment, and a payment of the day beside. Measured as 705.
 * The comparison takes less.
 */
const BYTES_OF_PAYOUT = 800;
/** The rest is for the orders that the process accepts meanwhile, and for objects that are not collected yet. */
const SHARE_OF_HEAP = 1 / 2;

/** The most payouts, and the most payments, of a day that are compared: by default, as many as the heap has room for. */
export const mostPayoutsOf = ({ mostPayouts }: Pick<StatementDeps, 'mostPayouts'>): number =>
  mostPayouts ?? Math.floor((getHeapStatistics().heap_size_limit * SHARE_OF_HEAP) / BYTES_OF_PAYOUT);

type Unavailable = Extract<StatementResult, { kind: 'unavailable' }>;

/**
 * The payments of a day. From the days before and after, also those of the same payouts or of `completed`: the two
 * clocks may disagree at midnight, and a payout may be completed a day after its payment. Each day is read as a
 * separate statement, since one day of a busy wallet is as large as memory allows. Unavailable if any of the statements
 * is, or if the day is larger than memory allows. `completed`: ids of our payouts; one more than `mostPayoutsOf` says
 * that there are too many.
 */
export async function readStatement(
  deps: StatementDeps,
  day: StatementPeriod,
  completed: readonly string[],
): Promise<StatementResult> {
  if (completed.length > mostPayoutsOf(deps)) return tooMany(deps, 'payouts in our books');
  const statement = await readPeriod(deps, day);
  if (statement.kind === 'unavailable') return statement;
  const { lines } = statement;
  if (lines.length > mostPayoutsOf(deps)) return tooMany(deps, 'payments on its statement');
  const payouts = new Set(completed);
  for (const { clientPayoutId } of lines) payouts.add(clientPayoutId);
  for (const beside of [
    { from: new Date(day.from.getTime() - DAY_MS), to: day.from },
    { from: day.to, to: new Date(day.to.getTime() + DAY_MS) },
  ]) {
    const failure = await addBeside(deps, { beside, payouts, lines });
    if (failure) return failure;
  }
  return { kind: 'lines', lines };
}

/** A function of its own, because the payments of one day beside would stay in memory while the other is read. */
async function addBeside(
  deps: StatementDeps,
  { beside, payouts, lines }: { beside: StatementPeriod; payouts: ReadonlySet<string>; lines: StatementLine[] },
): Promise<Unavailable | undefined> {
  const found = await readPeriod(deps, beside);
  if (found.kind === 'unavailable') return found;
  for (const line of found.lines) if (payouts.has(line.clientPayoutId)) lines.push(line);
  return undefined;
}

function tooMany(deps: StatementDeps, what: string): Unavailable {
  const most = mostPayoutsOf(deps);
  const reason = `the day has over ${most} ${what}, more than this process has memory to compare: raise its memory limit`;
  return { kind: 'unavailable', reason };
}

async function readPeriod(deps: StatementDeps, { from, to }: StatementPeriod): Promise<StatementResult> {
  const now = deps.now();
  if (from >= now) return { kind: 'lines', lines: [] };
  const calls: IntegrationLog[] = [];
  const statement = await deps.provider.statement({ from, to: to < now ? to : now }, (call) => {
    calls.push(toLog(call, null, deps.now()));
  });
  await recordCalls(deps.db, calls);
  deps.kickRelay();
  if (statement.kind === 'unavailable') return statement;
  // A payment at the end of one statement may be on the next one, too.
  const isOfPeriod = ({ recordedAt }: StatementLine) => recordedAt >= from && recordedAt < to;
  return { kind: 'lines', lines: statement.lines.filter(isOfPeriod) };
}
