import { COMMANDS } from '@vuka/service-kit/messaging/topology';
import { appendToOutbox } from '@vuka/service-kit/outbox';
import { sql } from 'kysely';
import type { TransferRow } from '#db/schema.ts';
import { executeCommand } from './accept-transfer.ts';
import { advanceFrom } from './advance-transfer.ts';
import { isLate } from './list-transfers.ts';
import { closeRetries } from './retry-transfer.ts';
import { type SagaDeps, take, transitionOf } from './saga.ts';
import { waitingReason } from './transfer.domain.ts';

const SWEEP_LIMIT = 500;
/** A claimed transfer is left to its sweeper for this long, ms; each step sets its own time after that. */
const CLAIM_MS = 30_000;

export interface SweepDeps extends SagaDeps {
  stuckAfterMs: number;
  kickRelay: () => void;
}

/** Takes every transfer that is due one step on: lost answers, things that were away, payouts to be asked about. */
export async function sweep(deps: SweepDeps): Promise<void> {
  await Promise.all((await findStuck(deps)).map((transfer) => markStuck(deps, transfer)));
  await closeRetries(deps.db);
  const due = await claimDue(deps);
  const untaken = due.filter((transfer) => transfer.step === 'created' && transfer.attempts === 0);
  await sendAgain(deps, untaken);
  const results = await Promise.allSettled(
    due.filter((transfer) => !untaken.includes(transfer)).map((transfer) => advanceFrom(deps, transfer)),
  );
  for (const result of results) {
    if (result.status === 'rejected') deps.logger.error({ err: result.reason }, 'a transfer could not be taken on');
  }
}

/** Pushes the time of the next action out, so that other sweepers leave these alone. The version stays. */
async function claimDue(deps: SweepDeps): Promise<TransferRow[]> {
  const now = deps.now();
  const due = await sql<TransferRow>`
    update transactions set next_action_at = ${new Date(now.getTime() + CLAIM_MS)}
    where id in (
      select id from transactions
      where is_open and next_action_at <= ${now}
      order by id limit ${SWEEP_LIMIT} for update skip locked)
    returning *`.execute(deps.db);
  return due.rows;
}

/** A command that nobody ever took goes out once more: execution goes through the queue, and nowhere else. */
async function sendAgain(deps: SweepDeps, transfers: TransferRow[]): Promise<void> {
  if (transfers.length === 0) return;
  deps.logger.warn({ transfers: transfers.length }, 'commands that were never taken are sent again');
  await deps.db.transaction().execute((trx) =>
    appendToOutbox(
      trx,
      transfers.map((transfer) => ({ exchange: COMMANDS, envelope: executeCommand(transfer.id, 'sweep', deps.now()) })),
    ),
  );
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
