import { flushCompileCache } from 'node:module';
import { compactHeapAfterStart } from './compact-heap.ts';
import type { Logger } from './logger.ts';
import { type Part, untilDone } from './poll.ts';

const DRAIN_MS = 9_000;

/** A part, or several that do not need each other and start at once. */
export type Step = Part | readonly Part[];

/**
 * Runs a process made of parts: starts them step by step, and stops them on SIGTERM, SIGINT or the end of the parent
 * process: entry points first, then the rest in reverse. Exits 0 if everything drained within 9 s, else 1. A part
 * that cannot start because a dependency is unavailable is retried and does not stop the process; later parts wait
 * for it.
 */
export function runService(options: { logger: Logger; parts: readonly Step[]; onRunning?: () => void }): void {
  const { logger, parts } = options;
  const stopping = new AbortController();
  const started: Part[] = [];

  async function start() {
    for (const step of parts) {
      await Promise.all([step].flat().map(startPart));
      if (stopping.signal.aborted) return;
    }
    // Otherwise Node writes its compile cache when the process ends. On a busy machine that takes longer than a
    // supervisor waits; the process is then killed, and the next start has to compile again.
    flushCompileCache();
    compactHeapAfterStart();
    logger.info('running');
    options.onRunning?.();
  }

  async function startPart(part: Part) {
    await untilDone(part.name, logger, stopping.signal, async () => part.start());
    if (!stopping.signal.aborted) started.push(part);
  }

  async function stop(reason: string) {
    if (stopping.signal.aborted) return;
    stopping.abort();
    logger.info({ reason }, 'stopping');
    const deadline = setTimeout(() => {
      logger.error('did not drain in time');
      process.exit(1);
    }, DRAIN_MS);
    deadline.unref();
    const rest = started.filter((part) => !part.stopsFirst).reverse();
    for (const part of [...started.filter((each) => each.stopsFirst), ...rest]) {
      await Promise.resolve(part.stop()).catch((error: unknown) =>
        logger.error({ err: error }, `${part.name} did not stop`),
      );
    }
    logger.info('stopped');
    process.exit(0);
  }

  process.once('SIGTERM', () => void stop('SIGTERM'));
  process.once('SIGINT', () => void stop('SIGINT'));
  process.once('disconnect', () => void stop('the parent process ended'));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught');
    process.exit(1);
  });
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
  void start();
}
