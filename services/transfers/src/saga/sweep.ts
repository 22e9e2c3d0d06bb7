import { appendToOutbox } from '@vuka/service-kit/outbox';
import { type RawBuilder, sql } from 'kysely';
import type { TransferRow } from '#db/schema.ts';
import { advanceFrom } from './advance-transfer.ts';
import { COMMAND_LOST_AFTER_MS, executeCommand } from './commands.ts';
import { closeRetries } from './retries.ts';
import { type SagaDeps, take, transitionOf } from './step.ts';
import { isLate } from './stuck-transfers.ts';
import { waitingReason } from './transfer.domain.ts';

const SWEEP_LIMIT = 500;
/** A claimed transfer is left to its sweeper for this long, ms; each step sets its own time after that. */
const CLAIM_MS = 30_000;

export interface SweepDeps extends SagaDeps {
  stuckAfterMs: number;
  kickRelay: () => void;
}

/** Takes every due step of ours: lost commands, things that were away. Says which transfers are stuck. */
export async function sweepSteps(deps: SweepDeps): Promise<void> {
  await Promise.all((await findStuck(deps)).map((transfer) => markStuck(deps, transfer)));
  await closeRetries(deps.db);
  const due = await claimDue(deps, sql`step <> 'paying_out'`);
  const untaken = due.filter((transfer) => transfer.step === 'created' && transfer.attempts === 0);
  await sendAgain(deps, untaken);
  await advanceAll(
    deps,
    due.filter((transfer) => !untaken.includes(transfer)),
  );
}

/**
 * Asks the provider about every payout that is due. Apart from `sweepSteps`, since it is as slow as the provider's
 * slowest answer: however many payouts wait for one, what is ours to do goes on.
 */
export async function sweepPayouts(deps: SweepDeps): Promise<void> {
  await advanceAll(deps, await claimDue(deps, sql`step = 'paying_out'`));
}

async function advanceAll(deps: SweepDeps, due: TransferRow[]): Promise<void> {
  const results = await Promise.allSettled(due.map((transfer) => advanceFrom(deps, transfer)));
  for (const result of results) {
    if (result.status === 'rejected') deps.logger.error({ err: result.reason }, 'a transfer could not be taken on');
  }
}

/** Pushes the time of the next action out, so that other sweepers leave these alone. The version stays. */
async function claimDue(deps: SweepDeps, which: RawBuilder<unknown>): Promise<TransferRow[]> {
  const now = deps.now();
  const due = await sql<TransferRow>`
    update transactions set next_action_at = ${new Date(now.getTime() + CLAIM_MS)}
    where id in (
      select id from transactions
      where is_open and next_action_at <= ${now} and ${which}
      order by id limit ${SWEEP_LIMIT} for update skip locked)
    returning *`.execute(deps.db);
  return due.rows;
}

/**
 * A command that nobody ever took goes out once more: execution goes through the queue, and nowhere else. While the
 * broker is away it then waits in the outbox, as the one before it does, and needs no third.
 */
async function sendAgain(deps: SweepDeps, transfers: TransferRow[]): Promise<void> {
  if (transfers.length === 0) return;
  deps.logger.warn({ transfers: transfers.length }, 'commands that were never taken are sent again');
  const now = deps.now();
  const ids = transfers.map(({ id }) => id);
  await deps.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('transactions')
      .set({ next_action_at: new Date(now.getTime() + COMMAND_LOST_AFTER_MS) })
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      // One that was taken meanwhile has a time of its own.
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
    .where('is_open', '=', true)
    .where('waiting_reason', 'is', null)
    .where(isLate(new Date(deps.now().getTime() - deps.stuckAfterMs)))
    .limit(SWEEP_LIMIT)
    .execute();
}

async function markStuck(deps: SweepDeps, transfer: TransferRow): Promise<void> {
  const event = { type: 'waiting_too_long' as const, reason: waitingReason(transfer.step) };
  const schedule = { nextActionAt: transfer.next_action_at, attempts: transfer.attempts };
  await take(deps, transitionOf(transfer, event, deps.now(), schedule));
}
