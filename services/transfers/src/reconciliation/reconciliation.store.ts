import type { Caller } from '@vuka/access/caller';
import { LIST_SIZES } from '@vuka/contracts/http/list-sizes';
import type { PayoutException, Reconciliation } from '@vuka/contracts/http/reconciliation';
import { AppError } from '@vuka/service-kit/app-error';
import { planFreely } from '@vuka/service-kit/database';
import { uuidv7 } from '@vuka/service-kit/ids';
import { sql } from 'kysely';
import type { Db, PayoutExceptionRow, ReconciliationRow } from '#db/schema.ts';
import type { Step } from '#db/states.ts';
import { openException } from '#payouts/payout.store.ts';
import type { StatementLine } from '#payouts/payout-provider.ts';
import type { BookedPayout, Comparison } from './compare-statement.ts';
import { isOwnedBy, ownerOf } from './exception-owner.ts';
import { updateWaitingLines } from './waiting-line.store.ts';

/**
 * A run without a result after this long has lost its process. A day takes six statements, and a provider up to ten minutes
 * for each.
 */
const ABANDONED_AFTER_MS = 90 * 60_000;
const IDS_AT_ONCE = 5_000;
const LAST_RUNS = 30;

/** Records the start of a run; undefined while another one is running. */
export async function beginRun(
  db: Db,
  run: { day: string; provider: string; requestedBy: string | null; at: Date },
): Promise<string | undefined> {
  await db
    .updateTable('reconciliations')
    .set({ state: 'failed', error: 'it was interrupted', finished_at: run.at })
    .where('state', '=', 'running')
    .where('started_at', '<', new Date(run.at.getTime() - ABANDONED_AFTER_MS))
    .execute();
  const id = uuidv7(run.at.getTime());
  const { rows } = await sql<{ id: string }>`
    insert into reconciliations (id, day, provider, state, started_at, requested_by)
    values (${id}, ${run.day}::date, ${run.provider}, 'running', ${run.at}, ${run.requestedBy})
    on conflict (provider) where state = 'running' do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/**
 * Records why a run failed. A run that has ended keeps its result: if the connection is lost while a run is committed as
 * completed, its process takes it for failed.
 */
export async function failRun(db: Db, id: string, { error, at }: { error: string; at: Date }): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ state: 'failed', error: error.slice(0, 500), finished_at: at })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

export interface RunResult extends Comparison {
  /** Payments of earlier days whose payouts have ended. */
  compared: readonly StatementLine[];
  found: Found;
}

/** What a run found of payouts that earlier runs missed. */
interface Found {
  /** The payouts that the statement names. */
  onStatement: Pick<ReadonlySet<string>, 'has'>;
  /** The payouts whose payments agree with our books. */
  inBooks: ReadonlySet<string>;
}

/**
 * Stores the differences as exceptions, and the waiting payments, together with the run's result. Known exceptions keep
 * their state, except that those about something missing are resolved once it is found, and resolved ones are open again if the
 * statement has a payment that they have not seen.
 */
export async function completeRun(
  db: Db,
  id: string,
  { lines, matched, late, waiting, differences, compared, found }: RunResult,
  at: Date,
) {
  await db.transaction().execute(async (trx) => {
    await updateWaitingLines(trx, { added: [...waiting, ...late], compared: [...compared, ...late], at });
    await resolveFound(trx, found, at);
    for (const { ours, theirs, ...difference } of differences)
      await openException(trx, { ...difference, details: { ours, theirs }, at, isFromStatement: true });
    const { numUpdatedRows } = await trx
      .updateTable('reconciliations')
      .set({
        state: 'completed',
        lines,
        matched: matched.length,
        waiting: waiting.length,
        differences: differences.length,
        finished_at: at,
      })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Error('another run of the reconciliation has begun since');
  });
}

/**
 * Resolves exceptions about payments that are on this statement after all, since the provider was late to list them or our
 * clock was wrong; and those about payments without an order that have one now, since it was lost in a restore and sent
 * again.
 */
async function resolveFound(db: Db, { onStatement, inBooks }: Found, at: Date): Promise<void> {
  await resolveAmong(db, onStatement, { kind: 'not_on_statement', note: 'The payment is on a later statement.', at });
  await resolveAmong(db, inBooks, { kind: 'paid_without_order', note: 'The payment has an order now.', at });
}

async function resolveAmong(
  db: Db,
  payoutIds: Pick<ReadonlySet<string>, 'has'>,
  { kind, note, at }: { kind: PayoutExceptionRow['kind']; note: string; at: Date },
): Promise<void> {
  const missing = await db
    .selectFrom('payout_exceptions')
    .select(['id', 'money_transfer_id'])
    .where('kind', '=', kind)
    .where('state', '=', 'open')
    .forUpdate()
    .execute();
  const found = missing.filter((exception) => payoutIds.has(exception.money_transfer_id));
  if (found.length === 0) return;
  await db
    .updateTable('payout_exceptions')
    .set({ state: 'resolved', note, resolved_at: at })
    .where('id', '=', sql<string>`any(${found.map((exception) => exception.id)}::uuid[])`)
    .execute();
}

/**
 * By payout: the time of a payment that an earlier statement had while its payout was open, more than a day before it was
 * completed, or while our books did not have its order, which a restore had lost.
 */
export async function findPaidAt(db: Db, payoutIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ payout_id: string; recorded_at: Date }>`
    select money_transfer_id as payout_id, coalesce(
      (select min(split_part(payment, ' ', 1)::timestamptz) from unnest(evidence) as payment),
      (details->'theirs'->>'recordedAt')::timestamptz) as recorded_at
    from payout_exceptions
    where kind = 'paid_without_order' and is_from_statement and money_transfer_id = any(${payoutIds}::uuid[])
    union all
    select payout_id, recorded_at from waiting_statement_lines where payout_id = any(${payoutIds}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.payout_id, row.recorded_at]));
}

/** Which of these payouts were missing on a statement, whether or not that is resolved. */
export async function findMissing(db: Db, payoutIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('payout_exceptions')
    .select('money_transfer_id')
    .where('kind', '=', 'not_on_statement')
    .where('money_transfer_id', '=', sql<string>`any(${payoutIds}::uuid[])`)
    .execute();
  return new Set(rows.map((row) => row.money_transfer_id));
}

/** What is compared of the payouts with these ids; without the unknown ones. */
export async function findBooked(db: Db, ids: readonly string[]): Promise<Map<string, BookedPayout>> {
  const booked = new Map<string, BookedPayout>();
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const rows = await db
      .selectFrom('money_transfers')
      .select(['id', 'transaction_id', 'state', 'amount', 'currency', 'destination_account', 'updated_at'])
      .where('id', '=', sql<string>`any(${ids.slice(start, start + IDS_AT_ONCE)}::uuid[])`)
      .execute();
    for (const row of rows) booked.set(row.id, row);
  }
  return booked;
}

interface Completed {
  provider: string;
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** The ids of payouts completed in the period, at most `most`. */
export async function findCompleted(db: Db, { most, ...period }: Completed & { most: number }): Promise<string[]> {
  const rows = await planFreely(db, (trx) => completedIn(trx, period).limit(most).execute());
  return rows.map(({ id }) => id);
}

/** The query of `findCompleted`; a test reads its plan. */
export function completedIn(db: Db, { provider, from, to }: Completed) {
  return db
    .selectFrom('money_transfers')
    .select('id')
    .where('provider', '=', provider)
    .where('state', '=', 'completed')
    .where('updated_at', '>=', from)
    .where('updated_at', '<', to);
}

/**
 * Days of a period (inclusive) that no completed run has seen in full: first the days that were never tried, the newest
 * first; then those whose last run is oldest. A run sees a day in full if it began `statementLagMs` after the day's
 * end. Days before the first transfer are left out, except the last day, so that a new installation has nothing to
 * catch up on.
 */
export async function findUnreconciled(
  db: Db,
  { provider, from, to, statementLagMs }: { provider: string; from: string; to: string; statementLagMs: number },
): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select days.day::date::text as day
    from generate_series(${from}::date, ${to}::date, interval '1 day') as days(day)
      left join reconciliations as run on run.provider = ${provider} and run.day = days.day::date
    where days.day::date = ${to}::date
      or days.day::date >= (select (created_at at time zone 'Africa/Nairobi')::date from transactions order by id limit 1)
    group by days.day
    having not coalesce(bool_or(
      run.state = 'completed' and run.started_at >= (days.day::date + 1)::timestamp at time zone 'Africa/Nairobi'
        + ${statementLagMs} * interval '1 millisecond'), false)
    order by max(run.started_at) nulls first, days.day desc`.execute(db);
  return rows.map(({ day }) => day);
}

const RUN_COLUMNS = sql<ReconciliationRow>`id, day::text as day, provider, state, started_at, finished_at, lines, matched,
  waiting, differences, error, requested_by`;

export async function listRuns(db: Db): Promise<Reconciliation[]> {
  const { rows } = await sql<ReconciliationRow>`
    select ${RUN_COLUMNS} from reconciliations order by started_at desc limit ${LAST_RUNS}`.execute(db);
  return rows.map(toRun);
}

export async function getRun(db: Db, id: string): Promise<Reconciliation> {
  const { rows } = await sql<ReconciliationRow>`select ${RUN_COLUMNS} from reconciliations where id = ${id}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new AppError('reconciliation_not_found');
  return toRun(row);
}

function toRun(row: ReconciliationRow): Reconciliation {
  return {
    id: row.id,
    day: row.day,
    provider: row.provider,
    state: row.state,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    lines: row.lines,
    matched: row.matched,
    waiting: row.waiting,
    differences: row.differences,
    error: row.error,
    requestedBy: row.requested_by,
  };
}

/** Open exceptions first, oldest first; then the most recently resolved. */
export async function listExceptions(db: Db, viewer: Caller): Promise<{ exceptions: PayoutException[]; open: number }> {
  const { rows } = await sql<PayoutExceptionRow & { step: Step | null }>`
    select payout_exceptions.*, step from payout_exceptions left join transactions on transactions.id = transaction_id
    order by (state = 'resolved'), resolved_at desc, payout_exceptions.created_at
    limit ${LIST_SIZES.payoutExceptions}`.execute(db);
  const { open } = await db
    .selectFrom('payout_exceptions')
    .select((eb) => eb.fn.countAll<bigint>().as('open'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return { exceptions: rows.map((row) => toException(row, row, viewer)), open: Number(open) };
}

/**
 * Whether a transfer waits for the decision on an exception of this kind: the provider reported other figures, a failure
 * that proves nothing, or no longer knows a payout that it had.
 */
export const holdsTransfers = (kind: string): boolean =>
  ['missing_figures', 'unknown_failure', 'lost_by_provider'].includes(kind) || kind.startsWith('different_');

/** Whether the transfer waits for an administrator to decide its payout's outcome. */
export function isHeldBy(
  { kind, state }: Pick<PayoutExceptionRow, 'kind' | 'state'>,
  transfer: { step: Step | null } | undefined,
): boolean {
  return state === 'open' && holdsTransfers(kind) && transfer?.step === 'paying_out';
}

/** `transfer`: the payout's transfer, if the books know it. */
export function toException(
  row: PayoutExceptionRow,
  transfer: { step: Step | null } | undefined,
  viewer: Caller,
): PayoutException {
  const owner = ownerOf(row);
  return {
    id: row.id,
    kind: row.kind,
    transactionId: row.transaction_id,
    payoutId: row.money_transfer_id,
    holdsTransfer: isHeldBy(row, transfer),
    details: row.details,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    state: row.state,
    owner: owner?.name ?? null,
    ownerId: owner?.id ?? null,
    isOwnedByCaller: isOwnedBy(row, viewer),
    note: row.note,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
  };
}
