import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** Deadline in milliseconds; 10 s by default. */
  timeoutMs?: number;
  /** Pause between two checks in milliseconds. */
  everyMs?: number;
  /** The expected event, for the error message. */
  what?: string;
}

type Falsy = false | 0 | 0n | '' | null | undefined;

/**
 * Repeats `condition` until it returns something truthy, and returns that. A throw counts as not yet. Throws past the
 * deadline, once the check under way has ended: a condition that may never settle needs a deadline of its own.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  options: UntilOptions = {},
): Promise<Exclude<T, Falsy>> {
  const { timeoutMs = 10_000, everyMs = 10, what = condition.toString() } = options;
  const deadline = Date.now() + timeoutMs;
  let lastError: unknown;
  do {
    try {
      const value = await condition();
      if (value) return value as Exclude<T, Falsy>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await delay(everyMs);
  } while (Date.now() < deadline);
  throw new Error(`Not within ${timeoutMs} ms: ${what}`, { cause: lastError });
}
