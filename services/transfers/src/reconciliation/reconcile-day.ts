import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { DAY_MS, dayEnd, dayOf, dayStart } from '@vuka/contracts/http/days';
import type { Reconciliation } from '@vuka/contracts/http/reconciliation';
import { AppError } from '@vuka/service-kit/app-error';
import type { Logger } from '@vuka/service-kit/logger';

import type { StatementLine } from '#payouts/payout-provider.ts';
import { compareInParts } from './compare-in-parts.ts';
import { compareWaiting } from './compare-statement.ts';
import { mostPayoutsOf, readStatement, type StatementDeps } from './read-statement.ts';
import {
  beginRun,
  completeRun,
  failRun,
  findBooked,
  findCompleted,
  findUnreconciled,
  getRun,
} from './reconciliation.store.ts';
import { findWaitingLines } from './waiting-line.store.ts';

export interface ReconcileDeps extends StatementDeps {
  logger: Logger;
  /** How far a provider's statement may lag behind its payments, ms. */
  statementLagMs: number;
}

const OLDEST_DAYS = 30;

/**
 * Starts the reconciliation of a day whose statement is complete: days never tried first, the newest of them first.
 * Runs in the background; undefined when there is nothing to do.
 */
export async function reconcileNextDay(deps: ReconcileDeps): Promise<{ done: Promise<void> } | undefined> {
  const [day] = await findUnreconciled(deps.db, periodOf(deps));
  if (!day) return undefined;
  const id = await beginRun(deps.db, { day, provider: deps.provider.id, requestedBy: null, at: deps.now() });
  return id ? { done: reconcileDay(deps, id, day) } : undefined;
}

/** The number of days with a complete statement that have not been reconciled. */
export async function countUnreconciled(deps: Pick<ReconcileDeps, 'db' | 'provider' | 'now' | 'statementLagMs'>) {
  return (await findUnreconciled(deps.db, periodOf(deps))).length;
}

/**
 * The days whose statements are complete and still available. A run that began before the statement was complete has
 * not seen the whole day, and does not count.
 */
function periodOf({ provider, now, statementLagMs }: Pick<ReconcileDeps, 'provider' | 'now' | 'statementLagMs'>) {
  const completeMs = now().getTime() - statementLagMs;
  return {
    provider: provider.id,
    from: dayOf(completeMs - (OLDEST_DAYS - 1) * DAY_MS),
    to: dayOf(completeMs - DAY_MS),
    statementLagMs,
  };
}

/**
 * Starts a reconciliation requested by an administrator; it runs in the background. Throws validation_failed for a day
 * in the future or older than statements reach, already_decided while another reconciliation is running.
 */
export async function requestReconciliation(
  deps: ReconcileDeps,
  { day, caller }: { day: string; caller: Caller },
): Promise<{ run: Reconciliation; done: Promise<void> }> {
  const now = deps.now();
  const age = now.getTime() - Date.parse(dayStart(day));
  if (age < 0) throw new AppError('reconciliation_too_early');
  if (age > OLDEST_DAYS * DAY_MS) throw new AppError('reconciliation_too_late', { params: { days: OLDEST_DAYS } });
  // In one transaction: if the run began and its audit record failed, the run would block others until it counts as
  // abandoned.
  const id = await deps.db.transaction().execute(async (trx) => {
    const begun = await beginRun(trx, { day, provider: deps.provider.id, requestedBy: caller.name, at: now });
    if (!begun) throw new AppError('reconciliation_running');
    const action: AdminAction = {
      source: '/vuka/transfers',
      caller,
      action: 'reconciliation.requested',
      subject: { kind: 'reconciliation' as const, id: begun, label: day },
      after: { day },
    };
    await recordAction(trx, action, now);
    return begun;
  });
  deps.kickRelay();
  return { run: await getRun(deps.db, id), done: reconcileDay(deps, id, day) };
}

/**
 * Reconciles a day outside a running service, and waits for the result. Throws already_decided while another one is
 * running.
 */
export async function compareDayNow(deps: ReconcileDeps, day: string, requestedBy: string): Promise<Reconciliation> {
  const id = await beginRun(deps.db, { day, provider: deps.provider.id, requestedBy, at: deps.now() });
  if (!id) throw new AppError('reconciliation_running');
  await reconcileDay(deps, id, day);
  return getRun(deps.db, id);
}

/**
 * Reconciles one day. Differences are stored for an administrator and move no money; a day without a statement fails.
 */
async function reconcileDay(deps: ReconcileDeps, id: string, day: string): Promise<void> {
  try {
    const error = await compareDay(deps, id, day);
    if (error) await failRun(deps.db, id, { error, at: deps.now() });
  } catch (error) {
    deps.logger.error({ err: error, day }, 'reconciliation failed');
    await failRun(deps.db, id, { error: 'it could not be completed', at: deps.now() }).catch(() => undefined);
  }
}

async function compareDay(deps: ReconcileDeps, id: string, day: string): Promise<string | undefined> {
  const { db, provider, logger } = deps;
  const from = new Date(dayStart(day));
  const to = new Date(dayEnd(day));
  const reliableUntil = new Date(deps.now().getTime() - deps.statementLagMs);
  const completed = await findCompleted(db, {
    provider: provider.id,
    from,
    to: new Date(Math.min(to.getTime(), reliableUntil.getTime())),
    most: mostPayoutsOf(deps) + 1,
  });
  const statement = await readStatement(deps, { from, to }, completed);
  if (statement.kind === 'unavailable') {
    logger.warn({ day, reason: statement.reason }, 'no statement to reconcile against');
    return statement.reason;
  }
  const isOfDay = ({ recordedAt }: StatementLine): boolean => recordedAt >= from && recordedAt < to;
  const ofDay = await compareInParts({ db, lines: statement.lines, isOfDay, completed });
  const waited = await findWaitingLines(db);
  const earlier = compareWaiting(
    waited,
    await findBooked(
      db,
      waited.map(({ clientPayoutId }) => clientPayoutId),
    ),
  );
  const comparison = { ...ofDay, differences: [...ofDay.differences, ...earlier.differences] };
  const found = {
    onStatement: ofDay.onStatement,
    inBooks: new Set([...ofDay.matched, ...earlier.matched]),
  };
  await completeRun(db, id, { ...comparison, compared: earlier.compared, found }, deps.now());
  const facts = {
    day,
    lines: comparison.lines,
    matched: comparison.matched.length,
    waiting: comparison.waiting.length,
    differences: comparison.differences.length,
  };
  if (comparison.differences.length > 0) logger.error(facts, "the books differ from the provider's statement");
  else logger.info(facts, "the books agree with the provider's statement");
  return undefined;
}
