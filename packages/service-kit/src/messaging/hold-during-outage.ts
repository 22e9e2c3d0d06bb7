import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseOutOfResources, isDatabaseUnavailable } from '#database.ts';
import type { Logger } from '#logger.ts';
import type { Delivery, Disposition, MessageHandler } from './message-bus.ts';
import { describeFailure } from './settlement.ts';

export interface OutageHold {
  /** Wraps a handler so that it keeps its message during an outage of the database, and runs again afterwards. */
  hold(handler: MessageHandler): MessageHandler;
}

interface OutageOptions {
  /** Whether the database answers and accepts writes. */
  ping: () => Promise<boolean>;
  logger: Logger;
  everyMs?: number;
}

/** How often a handler runs again after an outage that was over when the database was pinged. */
const MOST_RERUNS = 10;
const AGAIN: Disposition = { kind: 'again' };

/**
 * During an outage of the consumer's own database, every attempt at a message fails. Without this hold, each message
 * would use up its retries and be dead after minutes. A held message stays unacknowledged, so the prefetch stops the
 * consumer. When the bus wants a message back, it is put back with its attempt unchanged. Handlers may run twice in any
 * case.
 */
export function createOutageHold({ everyMs = 500, ...options }: OutageOptions): OutageHold {
  const outage = createOutage({ everyMs, ...options });
  return { hold: (handler) => (delivery) => keep({ outage, everyMs, handler }, delivery) };
}

interface Holder {
  outage: Outage;
  everyMs: number;
  handler: MessageHandler;
}

async function keep({ outage, everyMs, handler }: Holder, delivery: Delivery): Promise<Disposition | undefined> {
  if (outage.isOn() && isWantedBack(delivery)) return AGAIN;
  let turn: Turn | undefined;
  for (let reruns = 0; ; reruns += 1) {
    const outcome = await run(handler, delivery);
    const isHit = await outage.explains(outcome, delivery);
    // A failure of a message that the bus has taken away says nothing about the database.
    outage.notice(isHit || (!isDone(outcome) && delivery.signal.aborted), turn);
    if (isHit) {
      turn = await outage.wait(outcome, delivery);
      if (!turn) return AGAIN;
      reruns = 0;
      continue;
    }
    if (!metOutage(outcome) || reruns >= MOST_RERUNS || delivery.signal.aborted) return settle(outcome);
    if (isWantedBack(delivery)) return AGAIN;
    turn = undefined;
    await delay(everyMs);
  }
}

/** Permission to run again. Call it with the result of the run. */
type Turn = (result: 'passed' | 'failed') => void;
type Waiting = Set<(turn?: Turn) => void>;
type Outage = ReturnType<typeof createOutage>;

/** The outage that all messages of a consumer share. Only one of them at a time checks whether it is over. */
function createOutage({ ping, logger, everyMs }: Required<OutageOptions>) {
  const waiting: Waiting = new Set();
  let isOn = false;
  /** The database answers but lacks resources, so only a handler's own run can show whether the outage is over. */
  let isOutOfResources = false;
  let isWatched = false;
  let isTrying = false;
  let checking: Promise<boolean> | undefined;

  /** One check for all handlers that failed together. */
  function isAvailable(): Promise<boolean> {
    checking ??= ping()
      .catch(() => false)
      .finally(() => {
        checking = undefined;
      });
    return checking;
  }

  function end(): void {
    // A message that was handled meanwhile has ended it before.
    if (!isOn) return;
    isOn = false;
    isOutOfResources = false;
    logger.info('the database is available: held messages are handled');
    for (const call of waiting) call(() => undefined);
  }

  async function watch(): Promise<void> {
    isWatched = true;
    while (waiting.size > 0) {
      await delay(everyMs);
      if ((await isAvailable()) && (!isOutOfResources || (await tryOne()))) end();
    }
    isWatched = false;
  }

  /** Lets one waiting handler run: all at once would be a burst of failures in a database that lacks resources. */
  async function tryOne(): Promise<boolean> {
    const [first] = waiting;
    if (!first) return false;
    const result = Promise.withResolvers<'passed' | 'failed'>();
    isTrying = true;
    first(result.resolve);
    const isOver = (await result.promise) === 'passed';
    isTrying = false;
    return isOver;
  }

  return {
    isOn: () => isOn,
    /** Whether the handler failed because of the outage, known or new. */
    async explains(outcome: Outcome, { signal }: Delivery): Promise<boolean> {
      if (isDone(outcome) || signal.aborted) return false;
      if (!(await isAvailable()) || isDatabaseOutOfResources(errorOf(outcome))) return true;
      return isOn && metOutage(outcome);
    },
    notice(mayBeOn: boolean, turn: Turn | undefined): void {
      if (turn) turn(mayBeOn ? 'failed' : 'passed');
      // A success without a turn proves little while others wait: this handler may have written nothing.
      else if (!(mayBeOn || isTrying) && waiting.size === 0) end();
    },
    /** Waits until the message may be handled again; undefined if it must not wait any longer. */
    wait(outcome: Outcome, delivery: Delivery): Promise<Turn | undefined> {
      const called = untilCalled(waiting, delivery);
      isOutOfResources ||= isDatabaseOutOfResources(errorOf(outcome));
      if (!isOn) logger.warn({ reason: reasonOf(outcome) }, 'the database is unavailable: messages are held');
      isOn = true;
      if (!isWatched) void watch();
      return called;
    },
  };
}

async function untilCalled(waiting: Waiting, delivery: Delivery): Promise<Turn | undefined> {
  const called = Promise.withResolvers<Turn | undefined>();
  const leave = (turn?: Turn) => {
    waiting.delete(leave);
    called.resolve(turn);
  };
  const letGo = () => leave();
  const timer = setTimeout(letGo, Math.max(0, delivery.waitUntilMs - performance.now()));
  const ends = [delivery.signal, delivery.stopping];
  waiting.add(leave);
  for (const signal of ends) signal.addEventListener('abort', letGo);
  if (ends.some(({ aborted }) => aborted)) letGo();
  try {
    return await called.promise;
  } finally {
    clearTimeout(timer);
    for (const signal of ends) signal.removeEventListener('abort', letGo);
  }
}

type Outcome = { disposition: Disposition | undefined } | { error: unknown };

const isDone = (outcome: Outcome) => 'disposition' in outcome && outcome.disposition?.kind !== 'retry';
const errorOf = (outcome: Outcome) => ('error' in outcome ? outcome.error : undefined);
const metOutage = (outcome: Outcome) => isDatabaseUnavailable(errorOf(outcome));
const isWantedBack = ({ stopping, waitUntilMs }: Delivery) => stopping.aborted || performance.now() >= waitUntilMs;

function reasonOf(outcome: Outcome): string {
  if ('error' in outcome) return describeFailure(outcome.error);
  return outcome.disposition && 'reason' in outcome.disposition ? outcome.disposition.reason : '';
}

async function run(handler: MessageHandler, delivery: Delivery): Promise<Outcome> {
  try {
    return { disposition: (await handler(delivery)) ?? undefined };
  } catch (error) {
    return { error };
  }
}

function settle(outcome: Outcome): Disposition | undefined {
  if ('error' in outcome) throw outcome.error;
  return outcome.disposition;
}
