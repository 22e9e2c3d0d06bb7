import { setTimeout as delay } from 'node:timers/promises';
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

  return {
    hold: (handler) => async (delivery) => {
      for (;;) {
        const outcome = await run(handler, delivery);
        const isDone = 'disposition' in outcome && outcome.disposition?.kind !== 'retry';
        if (isDone || ended.signal.aborted || delivery.signal.aborted || (await isAvailable())) return settle(outcome);
        await untilAvailable();
      }
    },
    end: () => ended.abort(),
  };
}

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
