import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger.ts';

export interface Part {
  name: string;
  /** Stops before all others: an entry point, so that the work it admitted still finds its dependencies. */
  stopsFirst?: boolean;
  start(): Promise<void> | void;
  /** Finishes work in flight and accepts no more. */
  stop(): Promise<void> | void;
}

/** Runs `run` repeatedly, `everyMs` after the last run ended; a failure is logged and does not end the loop. */
export function pollingPart(options: { name: string; everyMs: number; logger: Logger; run(): Promise<void> }): Part {
  const stopped = new AbortController();
  let loop = Promise.resolve();
  async function repeat() {
    while (!stopped.signal.aborted) {
      try {
        await options.run();
      } catch (error) {
        if (!stopped.signal.aborted) options.logger.warn({ err: error, part: options.name }, 'a run failed');
      }
      await delay(options.everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }
  return {
    name: options.name,
    start() {
      loop = repeat();
    },
    async stop() {
      stopped.abort();
      await loop;
    },
  };
}

/**
 * Repeats `attempt` until it succeeds, waiting 0.2 to 1 s in between; for start-up work such as migrations while a
 * dependency is unavailable. Ends early, without success, when `signal` aborts.
 */
export async function untilDone(
  what: string,
  logger: Logger,
  signal: AbortSignal,
  attempt: () => Promise<void>,
): Promise<void> {
  for (let waitMs = 200; !signal.aborted; waitMs = Math.min(waitMs * 2, 1_000)) {
    try {
      return await attempt();
    } catch (error) {
      logger.warn({ err: error instanceof Error ? error.message : error, retryInMs: waitMs }, `${what} has to wait`);
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
