import { setTimeout as delay } from 'node:timers/promises';

/** The longest time that one part of a composed answer may delay the others. */
const PART_DEADLINE_MS = 2_000;

/** The answer, or null if none arrived in time. */
export async function inTime<Answer>(answer: Promise<Answer>, deadlineMs = PART_DEADLINE_MS): Promise<Answer | null> {
  const late = new AbortController();
  const deadline = delay(deadlineMs, null, { signal: late.signal });
  try {
    return await Promise.race([answer, deadline]);
  } catch {
    return null;
  } finally {
    late.abort();
  }
}
