import { getHeapStatistics } from 'node:v8';
import { DAY_MS } from '@vuka/contracts/http/days';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { Db } from '#db/schema.ts';
import { recordCalls, toLog } from '#payouts/payout.store.ts';
import type {
  PayoutProvider,
  StatementLine,
  StatementNeeds,
  StatementPeriod,
  StatementResult,
} from '#payouts/payout-provider.ts';

export interface StatementDeps {
  db: Db;
  provider: PayoutProvider;
  now: () => Date;
  kickRelay: () => void;
  /** See `mostPayoutsOf`. */
  mostPayouts?: number;
}

/** What a payout takes while a day is read and compared: its id, its payment, and its place in both. Measured as 550. */
const BYTES_OF_PAYOUT = 800;
/** The rest is for the orders that the process accepts meanwhile, and for objects that are not collected yet. */
const SHARE_OF_HEAP = 1 / 2;
/** However large the heap is: no larger day has been tried. */
const MOST_PAYOUTS = 500_000;

/**
 * The most payouts, and the most payments of all wallets, of a day that are compared: by default, as many as the heap
 * has room for.
 */
export const mostPayoutsOf = ({ mostPayouts }: Pick<StatementDeps, 'mostPayouts'>): number =>
  Math.min(
    MOST_PAYOUTS,
    mostPayouts ?? Math.floor((getHeapStatistics().heap_size_limit * SHARE_OF_HEAP) / BYTES_OF_PAYOUT),
  );

type Unavailable = Extract<StatementResult, { kind: 'unavailable' }>;
type DayStatement = Exclude<StatementResult, { kind: 'too_many' }>;

/**
 * The payments of a day. From the days before and after, also those of the same payouts or of `completed`: the two
 * clocks may disagree at midnight, and a payout may be completed a day after its payment. Each day is read as a
 * separate statement, since one day of a busy wallet may be as long as a statement may be. Unavailable if any of the
 * statements is, or if the payments are more than `mostPayoutsOf`, which is found out before they are in memory.
 * `completed`: ids of our payouts; one more than `mostPayoutsOf` says that there are too many.
 */
export async function readStatement(
  deps: StatementDeps,
  day: StatementPeriod,
  completed: readonly string[],
): Promise<DayStatement> {
  if (completed.length > mostPayoutsOf(deps)) return tooMany(deps, 'payouts in our books');
  const lines: StatementLine[] = [];
  const failure = await addPayments(deps, day, { lines, isNeeded: () => true });
  if (failure) return failure;
  const payouts = new Set(completed);
  for (const { clientPayoutId } of lines) payouts.add(clientPayoutId);
  const isNeeded = ({ clientPayoutId }: StatementLine) => payouts.has(clientPayoutId);
  for (const beside of [
    { from: new Date(day.from.getTime() - DAY_MS), to: day.from },
    { from: day.to, to: new Date(day.to.getTime() + DAY_MS) },
  ]) {
    const failure = await addPayments(deps, beside, { lines, isNeeded });
    if (failure) return failure;
  }
  return { kind: 'lines', lines };
}

/** Adds the needed payments of a period to `lines`, which never has more than there is memory for. */
async function addPayments(
  deps: StatementDeps,
  { from, to }: StatementPeriod,
  { lines, isNeeded }: { lines: StatementLine[] } & Pick<StatementNeeds, 'isNeeded'>,
): Promise<Unavailable | undefined> {
  const now = deps.now();
  if (from >= now) return undefined;
  // A payment at the end of one statement may be on the next one, too.
  const isOfPeriod = ({ recordedAt }: StatementLine) => recordedAt >= from && recordedAt < to;
  const statement = await ask(
    deps,
    { from, to: to < now ? to : now },
    { isNeeded: (line) => isOfPeriod(line) && isNeeded(line), most: mostPayoutsOf(deps) - lines.length },
  );
  if (statement.kind === 'too_many') return tooMany(deps, 'payments on its statement');
  if (statement.kind === 'unavailable') return statement;
  for (const line of statement.lines) lines.push(line);
  return undefined;
}

async function ask(deps: StatementDeps, period: StatementPeriod, needs: StatementNeeds): Promise<StatementResult> {
  const calls: IntegrationLog[] = [];
  const statement = await deps.provider.statement(period, needs, (call) => {
    calls.push(toLog(call, null, deps.now()));
  });
  await recordCalls(deps.db, calls);
  deps.kickRelay();
  return statement;
}

function tooMany(deps: StatementDeps, what: string): Unavailable {
  const most = mostPayoutsOf(deps);
  const remedy = 'more than this process has memory to compare: raise its memory limit';
  const why = most < MOST_PAYOUTS ? remedy : 'the most that can be compared';
  return { kind: 'unavailable', reason: `the day has over ${most} ${what}, ${why}` };
}
