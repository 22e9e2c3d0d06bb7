import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { createRecentMap } from '@vuka/service-kit/recent-map';

/** The most sessions, addresses and devices that are counted; beyond, the one seen longest ago is forgotten. */
const MOST_KEYS = 50_000;

/**
 * Counts the requests of each session, address or device in windows that begin with its first request. A class, since the
 * plugin calls `new`. The plugin's own store uses the wall clock: after that is set back, an address would stay limited until
 * it catches up.
 */
export class RequestCounts implements FastifyRateLimitStore {
  readonly #windows = createRecentMap<{ count: number; endsAtMs: number }>(MOST_KEYS);

  incr(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1], windowMs: number): void {
    const nowMs = performance.now();
    const last = this.#windows.get(key);
    const isOver = last === undefined || last.endsAtMs <= nowMs;
    const { count, endsAtMs } = isOver ? { count: 0, endsAtMs: nowMs + windowMs } : last;
    this.#windows.set(key, { count: count + 1, endsAtMs });
    done(null, { current: count + 1, ttl: endsAtMs - nowMs });
  }

  child(): RequestCounts {
    return new RequestCounts();
  }
}
