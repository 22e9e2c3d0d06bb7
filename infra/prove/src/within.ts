import { setTimeout as delay } from 'node:timers/promises';

/** The result of work; throws if it takes longer than `ms`, without stopping it. */
export async function within<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const ended = new AbortController();
  const late = delay(ms, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`not ended within ${Math.round(ms / 1_000)} s`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}
