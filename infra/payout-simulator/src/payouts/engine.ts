import type { Logger } from '@vuka/service-kit/logger';
import { claimCallbacks } from '#callbacks/callback.store.ts';
import type { CallbackSender } from '#callbacks/callback-sender.ts';
import type { Db, PayoutRow } from '#db/schema.ts';
import { advanceDue, nextStepAt } from './payout.store.ts';

const LONGEST_SLEEP_MS = 500;
const AFTER_FAILURE_MS = 500;

export interface EngineDeps {
  db: Db;
  logger: Logger;
  now: () => Date;
  /** Undefined where no callbacks are sent. */
  sender: CallbackSender | undefined;
}

export interface Engine {
  start(): void;
  stop(): Promise<void>;
  /** A payout's next step is due in so many ms. */
  wakeIn(ms: number): void;
  /** Takes every payout on whose time has come. */
  advance(): Promise<void>;
}

/** Moves payouts on when their time comes, and sees that their callbacks are sent. Its memory is the database alone. */
export function createEngine({ db, logger, now, sender }: EngineDeps): Engine {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let timerAtMs = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let isTicking = false;

  function announce(rows: readonly PayoutRow[]) {
    const due = rows.filter(({ callback_due_at }) => callback_due_at !== null);
    // Those that are late on purpose, or too many, are found by the claim when their time has come.
    const soon = due.filter(({ effects }) => !effects.some(({ name }) => name === 'callback_late'));
    void sender?.send(soon);
  }

  async function advanceAll() {
    do {
      isAskedAgain = false;
      const rows = await advanceDue(db, { now: now(), sendsCallbacks: sender !== undefined });
      announce(rows);
      if (rows.length > 0) isAskedAgain = true;
    } while (isAskedAgain && !isStopped);
  }

  function advance(): Promise<void> {
    isAskedAgain = true;
    running ??= advanceAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function tick() {
    if (isTicking) return void advance().catch(() => undefined);
    isTicking = true;
    let sleepMs = LONGEST_SLEEP_MS;
    try {
      await advance();
      if (sender?.hasRoom) void sender.send(await claimCallbacks(db, now()));
      const next = await nextStepAt(db);
      if (next) sleepMs = Math.min(Math.max(next.getTime() - now().getTime(), 0), LONGEST_SLEEP_MS);
    } catch (error) {
      logger.warn({ err: error instanceof Error ? error.message : error }, 'payouts could not be moved on');
      sleepMs = AFTER_FAILURE_MS;
    }
    isTicking = false;
    wakeIn(sleepMs);
  }

  function wakeIn(ms: number) {
    const atMs = Date.now() + ms;
    if (isStopped || atMs >= timerAtMs) return;
    clearTimeout(timer);
    timerAtMs = atMs;
    timer = setTimeout(() => {
      timerAtMs = Number.POSITIVE_INFINITY;
      void tick();
    }, ms);
  }

  return {
    start: () => wakeIn(0),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running?.catch(() => undefined);
    },
    wakeIn,
    advance,
  };
}
