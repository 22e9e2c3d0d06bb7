import { createBatcher } from '@vuka/service-kit/batcher';
import type { Logger } from '@vuka/service-kit/logger';
import { type Part, pollingPart } from '@vuka/service-kit/poll';
import { claimCallbacks } from '#callbacks/callback.store.ts';
import type { CallbackSender } from '#callbacks/callback-sender.ts';
import type { Db, PayoutRow } from '#db/schema.ts';
import type { PaymentReports } from './payment-reports.ts';
import { ADVANCE_LIMIT, advanceDue } from './payout.store.ts';

const POLL_MS = 500;
/** The minimum time between two statements: steps due meanwhile are taken together. */
const PACE_MS = 25;
const LONGEST_TIMER_MS = 60_000;

export interface EngineDeps {
  db: Db;
  logger: Logger;
  now: () => Date;
  /** Undefined if no callbacks are sent. */
  sender: CallbackSender | undefined;
  /** Undefined if no payments are reported. */
  reports: PaymentReports | undefined;
}

export interface Engine extends Pick<Part, 'start' | 'stop'> {
  /** Reports when a payout's next step is due. */
  wakeAt(stepAt: Date): void;
  /** Advances every payout that is due. */
  advance(): Promise<undefined>;
}

/**
 * Advances payouts when their steps are due, and has their callbacks sent. It is notified when steps are due; after a
 * restart or a failure it finds them in the database, which holds all its state.
 */
export function createEngine({ db, logger, now, sender, reports }: EngineDeps): Engine {
  let isStopped = false;
  const timers = new Set<NodeJS.Timeout>();
  const poll = pollingPart({ name: 'payouts', everyMs: POLL_MS, logger, run: sweep });

  function announce(rows: readonly PayoutRow[]) {
    const due = rows.filter(({ callback_due_at }) => callback_due_at !== null);
    // Deliberately late callbacks are claimed from the database when they are due.
    const soon = due.filter(({ effects }) => !effects.some(({ name }) => name === 'callback_late'));
    void sender?.send(soon);
  }

  const asks = createBatcher<undefined, undefined>({
    maxBatch: ADVANCE_LIMIT,
    paceMs: PACE_MS,
    async run(all) {
      await advanceAll();
      return all.map(() => undefined);
    },
  });

  async function advanceAll() {
    for (let isFull = true; isFull && !isStopped; ) {
      const options = { now: now(), sendsCallbacks: sender !== undefined, reportsPayments: reports !== undefined };
      const rows = await advanceDue(db, options);
      await reports?.send();
      announce(rows);
      for (const { step_at } of rows) if (step_at) wakeAt(step_at);
      isFull = rows.length === ADVANCE_LIMIT;
    }
  }

  const advance = () => asks.submit(undefined);

  async function sweep() {
    await advance();
    if (sender?.hasRoom) void sender.send(await claimCallbacks(db, now()));
  }

  function wakeAt(stepAt: Date) {
    const ms = stepAt.getTime() - now().getTime();
    // Steps further in the future are left to the poll, which also logs a failure and tries again.
    if (isStopped || ms > LONGEST_TIMER_MS) return;
    if (ms <= 0) return void advance().catch(() => undefined);
    const timer = setTimeout(() => {
      timers.delete(timer);
      // A timer may fire a little early.
      wakeAt(stepAt);
    }, ms);
    timers.add(timer);
  }

  return {
    start: poll.start,
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await poll.stop();
      await asks.idle();
    },
    wakeAt,
    advance,
  };
}
