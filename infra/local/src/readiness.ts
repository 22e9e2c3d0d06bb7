import { setTimeout as delay } from 'node:timers/promises';

export interface Watched {
  name: string;
  /** Its base address. */
  url: string;
  failures(): number;
}

const LOOK_EVERY_MS = 50;
const ANSWER_TIMEOUT_MS = 3_000;
const MOST_FAILURES = 4;

/**
 * Waits until every service reports that it is ready. Returns the names of those that are not ready by the deadline,
 * or that ended repeatedly; empty if all are. Ends early when `signal` aborts.
 */
export async function waitUntilReady(
  services: readonly Watched[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  const waiting = await Promise.all(
    services.map(async (service) => ((await becomesReady(service, deadline, signal)) ? [] : [service.name])),
  );
  return waiting.flat();
}

async function becomesReady(service: Watched, deadline: number, signal: AbortSignal): Promise<boolean> {
  while (Date.now() < deadline && service.failures() < MOST_FAILURES && !signal.aborted) {
    if (await isReady(service.url)) return true;
    await delay(LOOK_EVERY_MS);
  }
  return false;
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
