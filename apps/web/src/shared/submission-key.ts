import * as z from 'zod/mini';
import { ApiError, parseJson } from '#shared/api-client.ts';

const PREFIX = 'vuka.submission.';
const Kept = z.object({ body: z.string(), key: z.string() });

/** `<what>-<timestamp>-<random>` */
function createKey(what: string): string {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return `${what}-${Date.now()}-${Array.from(random, (part) => part.toString(36).padStart(7, '0')).join('')}`;
}

/**
 * The key under which the server does a submission once. The same content keeps it, over a double click, a retry and a
 * reload of the tab, until an outcome is known; other content takes a new one. `body` must hold no PIN: it is stored.
 */
export function submissionKey(what: string, body: unknown): string {
  const content = JSON.stringify(body);
  const kept = z.safeParse(Kept, parseJson(sessionStorage.getItem(PREFIX + what) ?? ''));
  if (kept.success && kept.data.body === content) return kept.data.key;
  const key = createKey(what);
  sessionStorage.setItem(PREFIX + what, JSON.stringify({ body: content, key }));
  return key;
}

/** It is done: the same content again is meant as another one. A refusal proves nothing of an attempt before it. */
export function releaseSubmissionKey(what: string): void {
  sessionStorage.removeItem(PREFIX + what);
}

/** Whether a failed submission may have been carried out all the same. */
export function isOutcomeUnknown(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}
