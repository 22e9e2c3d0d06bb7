import type { Logger } from '@vuka/service-kit/logger';

const WARN_EVERY_MS = 10_000;

export interface RefusalLog {
  note(reason: string): void;
}

/**
 * Logs the first refused callback at once, then at most one warning per 10 s with the number and reasons: anyone can
 * send a callback, so refusals must not flood the log.
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
