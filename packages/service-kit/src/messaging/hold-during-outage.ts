import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '#database.ts';
import type { Logger } from '#logger.ts';
import type { Delivery, Disposition, MessageHandler } from './message-bus.ts';

export interface OutageHold {
  /** The handler, which during an outage of the database keeps its message and runs again afterwards. */
  hold(handler: MessageHandler): MessageHandler;
  /** Keeps nothing any more: the outcome of the last run stands. */
  end(): void;
}

/**
 * An outage of the consumer's own database fails every message, however often it is tried. Without this each message
 * would climb its ladder of retries and be dead after minutes. A message that is held stays unacknowledged, so the
 * prefetch stops the consumer; if the process dies, the bus delivers it again. Handlers may run twice in any case.
 */
export function createOutageHold(options: {
  /** Whether the database answers and accepts writes. */
  ping: () => Promise<boolean>;
  logger: Logger;
  everyMs?: number;
}): OutageHold {
  const { ping, logger, everyMs = 500 } = options;
  const ended = new AbortController();
  let checking: Promise<boolean> | undefined;
  let waiting: Promise<void> | undefined;

  /** One check for all handlers that failed together. */
  function isAvailable(): Promise<boolean> {
    checking ??= ping()
      .catch(() => false)
      .finally(() => {
        checking = undefined;
      });
    return checking;
  }

  function untilAvailable(): Promise<void> {
    waiting ??= poll().finally(() => {
      waiting = undefined;
    });
    return waiting;
  }

  async function poll(): Promise<void> {
    logger.warn('the database is unavailable: messages are held');
    while (!ended.signal.aborted && !(await isAvailable())) {
      await delay(everyMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
    if (!ended.signal.aborted) logger.info('the database is available: held messages are handled');
  }

  /** Waits until the handler can run again; false if its failure stands. */
  async function mayRunAgain(outcome: Outcome, reruns: number): Promise<boolean> {
    if (ended.signal.aborted) return false;
    if (!(await isAvailable())) {
      await untilAvailable();
      return true;
    }
    if (reruns >= MOST_RERUNS || !metOutage(outcome)) return false;
    await delay(everyMs);
    return true;
  }

  return {
    hold: (handler) => async (delivery) => {
      for (let reruns = 0; ; reruns++) {
        const outcome = await run(handler, delivery);
        if (isDone(outcome) || delivery.signal.aborted || !(await mayRunAgain(outcome, reruns))) return settle(outcome);
      }
    },
    end: () => ended.abort(),
  };
}

/** Of a handler that met an outage which was over when the database was asked. */
const MOST_RERUNS = 10;

const isDone = (outcome: Outcome) => 'disposition' in outcome && outcome.disposition?.kind !== 'retry';
const metOutage = (outcome: Outcome) => 'error' in outcome && isDatabaseUnavailable(outcome.error);

type Outcome = { disposition: Disposition | undefined } | { error: unknown };

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
