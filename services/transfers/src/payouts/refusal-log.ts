import type { Logger } from '@vuka/service-kit/logger';

const WARN_EVERY_MS = 10_000;

/** Warns of refused callbacks. */
export interface RefusalLog {
  note(reason: string): void;
}

/**
 * Warns of the first refused callback at once, and of those that follow once in 10 s, with their number and reasons: what
 * anybody can send must not be able to fill the log.
 */
export function createRefusalLog(logger: Logger): RefusalLog {
  const reasons = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function warn() {
    timer = undefined;
    if (reasons.size === 0) return;
    const refused = [...reasons.values()].reduce((sum, count) => sum + count, 0);
    logger.warn({ refused, reasons: Object.fromEntries(reasons) }, 'callbacks were refused');
    reasons.clear();
    timer = setTimeout(warn, WARN_EVERY_MS).unref();
  }

  return {
    note(reason) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      if (!timer) warn();
    },
  };
}
