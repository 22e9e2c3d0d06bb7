import * as z from 'zod/mini';
import { ApiError, parseJson } from '#shared/api-client.ts';

const PREFIX = 'vuka.submission.';
const Kept = z.object({ body: z.string(), key: z.string() });

/** `<what>-<timestamp>-<random>` */
export function createKey(what: string): string {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return `${what}-${Date.now()}-${Array.from(random, (part) => part.toString(36).padStart(7, '0')).join('')}`;
}

/**
 * The key under which the server executes a submission once. The same content keeps its key, across a double click, a
 * retry and a reload of the tab, until an outcome is known; other content gets a new one. `body` must not contain the
 * PIN: it is stored.
 */
function submissionKey(what: string, body: unknown): string {
  const content = JSON.stringify(body);
  const kept = z.safeParse(Kept, parseJson(sessionStorage.getItem(PREFIX + what) ?? ''));
  if (kept.success && kept.data.body === content) return kept.data.key;
  const key = createKey(what);
  sessionStorage.setItem(PREFIX + what, JSON.stringify({ body: content, key }));
  return key;
}

/**
 * The outcome is known: the same content again is a new submission. A refusal proves nothing about an earlier attempt.
 */
export function releaseSubmissionKey(what: string): void {
  sessionStorage.removeItem(PREFIX + what);
}

/** Sends a submission under its key, which a success releases. */
export async function submitOnce<Answer>(
  what: string,
  body: unknown,
  send: (idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  const answer = await send(submissionKey(what, body));
  releaseSubmissionKey(what);
  return answer;
}

/** Whether a failed submission may nevertheless have been carried out. */
export function isOutcomeUnknown(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}
