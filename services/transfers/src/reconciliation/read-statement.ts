import { DAY_MS } from '@vuka/contracts/http/days';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { Db } from '#db/schema.ts';
import { recordCalls, toLog } from '#payouts/payout.store.ts';
import type { PayoutProvider, StatementLine, StatementPeriod, StatementResult } from '#payouts/payout-provider.ts';
import type { BookedPayout } from './compare-statement.ts';

export interface StatementDeps {
  db: Db;
  provider: PayoutProvider;
  now: () => Date;
  kickRelay: () => void;
}

/**
 * The payments of a day. From the days before and after, also those of the same payouts or of `completed`: the two
 * clocks may disagree at midnight, and a payout may be completed a day after its payment. Each day is read as a
 * separate statement, since one day of a busy wallet is as large as memory allows. Unavailable if any of the statements
 * is.
 */
export async function readStatement(
  deps: StatementDeps,
  day: StatementPeriod,
  completed: readonly BookedPayout[],
): Promise<StatementResult> {
  const statement = await readPeriod(deps, day);
  if (statement.kind === 'unavailable') return statement;
  const { lines } = statement;
  const payouts = new Set(completed.map(({ id }) => id));
  for (const { clientPayoutId } of lines) payouts.add(clientPayoutId);
  for (const beside of [
    { from: new Date(day.from.getTime() - DAY_MS), to: day.from },
    { from: day.to, to: new Date(day.to.getTime() + DAY_MS) },
  ]) {
    const found = await readPeriod(deps, beside);
    if (found.kind === 'unavailable') return found;
    for (const line of found.lines) if (payouts.has(line.clientPayoutId)) lines.push(line);
  }
  return { kind: 'lines', lines };
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
