import { appendToOutbox } from '@vuka/service-kit/outbox';
import { type RawBuilder, sql } from 'kysely';
import type { TransferRow } from '#db/schema.ts';
import { advanceFrom } from './advance-transfer.ts';
import { closeRetries } from './carry-out-retry.ts';
import { COMMAND_LOST_AFTER_MS, executeCommand } from './commands.ts';
import { WAITS_FOR_PROVIDER } from './lost-payout.ts';
import { type SagaDeps, take, transitionOf } from './step.ts';
import { isLate, isOpen } from './stuck-transfers.ts';
import { waitingNote } from './transfer.domain.ts';

const SWEEP_LIMIT = 500;
/** How long other sweepers skip a claimed transfer, ms. Each step then sets its own time. */
const CLAIM_MS = 30_000;

export interface SweepDeps extends SagaDeps {
  stuckAfterMs: number;
  kickRelay: () => void;
}

/** Takes every due step of our own, after a lost command or an unavailable service, and marks stuck transfers. */
export async function sweepSteps(deps: SweepDeps): Promise<void> {
  await forEach(deps, await findStuck(deps), markStuck);
  await closeRetries(deps.db);
  const due = await claimDue(deps, sql`not ${WAITS_FOR_PROVIDER}`);
  const untaken = due.filter((transfer) => transfer.step === 'created' && transfer.attempts === 0);
  await sendAgain(deps, untaken);
  await forEach(
    deps,
    due.filter((transfer) => !untaken.includes(transfer)),
    advanceFrom,
  );
}

/**
 * Asks the provider about every due payout, and about orders whose payouts may have been lost. Separate from `sweepSteps`
 * because it takes as long as the provider's slowest answer, which must not delay our own steps.
 */
export async function sweepPayouts(deps: SweepDeps): Promise<void> {
  await forEach(deps, await claimDue(deps, WAITS_FOR_PROVIDER), advanceFrom);
}

/** A transfer that cannot be handled, such as one at a step of a later release, keeps no other from being handled. */
async function forEach(
  deps: SweepDeps,
  transfers: TransferRow[],
  handle: (deps: SweepDeps, transfer: TransferRow) => Promise<unknown>,
): Promise<void> {
  const results = await Promise.allSettled(transfers.map((transfer) => handle(deps, transfer)));
  for (const [index, result] of results.entries()) {
    if (result.status === 'rejected')
      deps.logger.error({ err: result.reason, transferId: transfers[index]?.id }, 'a transfer could not be advanced');
  }
}

/** Postpones the next action so that other sweepers skip these transfers. The version does not change. */
async function claimDue(deps: SweepDeps, which: RawBuilder<unknown>): Promise<TransferRow[]> {
  const due = await sql<TransferRow>`
    update transactions set next_action_at = books_now() + make_interval(secs => ${CLAIM_MS / 1_000})
    where id in (
      select id from transactions
      where is_open and next_action_at <= (select books_now()) and ${which}
      order by id limit ${SWEEP_LIMIT} for update skip locked)
    returning *`.execute(deps.db);
  return due.rows;
}

/**
 * Publishes lost commands once more: transfers are executed only through the queue. While the broker is unavailable,
 * the new command waits in the outbox like the first, and no third is needed.
 */
async function sendAgain(deps: SweepDeps, transfers: TransferRow[]): Promise<void> {
  if (transfers.length === 0) return;
  deps.logger.warn({ transfers: transfers.length }, 'resending commands that no worker handled');
  const now = deps.now();
  const ids = transfers.map(({ id }) => id);
  await deps.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('transactions')
      .set({ next_action_at: sql<Date>`books_now() + make_interval(secs => ${COMMAND_LOST_AFTER_MS / 1_000})` })
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      // A transfer that a worker has taken meanwhile keeps the time that the worker set.
      .where('step', '=', 'created')
      .where('attempts', '=', 0)
      .execute();
    await appendToOutbox(
      trx,
      ids.map((id) => executeCommand(id, 'sweep', now)),
    );
  });
  deps.kickRelay();
}

function findStuck(deps: SweepDeps): Promise<TransferRow[]> {
  return deps.db
    .selectFrom('transactions')
    .selectAll()
    .where(isOpen)
    .where('waiting_reason', 'is', null)
    .where(isLate(deps.stuckAfterMs))
    .limit(SWEEP_LIMIT)
    .execute();
}

async function markStuck(deps: SweepDeps, transfer: TransferRow): Promise<void> {
  const event = { type: 'waiting_too_long' as const, reason: waitingNote(transfer.step) };
  const schedule = { nextActionAt: transfer.next_action_at, attempts: transfer.attempts };
  await take(deps, transitionOf(transfer, event, deps.now(), schedule));
}
