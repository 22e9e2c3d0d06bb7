import { setTimeout as delay } from 'node:timers/promises';

/** No part of a composed answer delays the others for longer. */
const PART_DEADLINE_MS = 2_000;

/** The answer, or null if none arrived in time. */
export async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  const late = new AbortController();
  const deadline = delay(PART_DEADLINE_MS, null, { signal: late.signal });
  try {
    return await Promise.race([answer, deadline]);
  } catch {
    return null;
  } finally {
    late.abort();
  }
}
