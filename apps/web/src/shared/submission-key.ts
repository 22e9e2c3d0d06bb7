import * as z from 'zod/mini';
import { ApiError, parseJson } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';

const PREFIX = 'vuka.submission.';
const Kept = z.array(z.object({ body: z.string(), key: z.string() }));
/** More unanswered submissions of one kind than a person makes: the oldest are forgotten. */
const MOST_KEPT = 20;

const MESSAGES = i18n('submission-key', { isRepeat: 'You sent this before. It was received only once.' });

/** `<what>-<timestamp>-<random>` */
export function createKey(what: string): string {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return `${what}-${Date.now()}-${Array.from(random, (part) => part.toString(36).padStart(7, '0')).join('')}`;
}

/** The submissions whose outcome is unknown, oldest first. */
function readKept(what: string): z.infer<typeof Kept> {
  const stored = parseJson(sessionStorage.getItem(PREFIX + what) ?? '');
  // The previous release kept one, outside of a list.
  const kept = Array.isArray(stored) ? stored : [stored];
  return z.safeParse(Kept, kept).data ?? [];
}

/** Replaces what is known of a submission; undefined forgets it. */
function keep(what: string, key: string, next: z.infer<typeof Kept>[number] | undefined): void {
  const others = readKept(what).filter((kept) => kept.key !== key);
  sessionStorage.setItem(PREFIX + what, JSON.stringify([...others, ...(next ? [next] : [])].slice(-MOST_KEPT)));
}

/** What a submission led to. `isRepeat`: an earlier attempt, which got no answer, may have led to it. */
export interface Submitted<Answer> {
  answer: Answer;
  isRepeat: boolean;
}

/**
 * Sends a submission under the key by which the server executes it once. The same content keeps its key until its outcome
 * is known, across a double click, other submissions in between and a reload of the tab: until it succeeds, or fails in a
 * way that `isEnded` recognises. A refusal proves nothing about an earlier attempt. `body` must not contain the PIN:
 * it is stored.
 */
export async function submitOnce<Answer>(
  what: string,
  body: unknown,
  send: (idempotencyKey: string) => Promise<Answer>,
  isEnded: (error: unknown) => boolean = () => false,
): Promise<Submitted<Answer>> {
  const content = JSON.stringify(body);
  const known = readKept(what).find((kept) => kept.body === content);
  const key = known?.key ?? createKey(what);
  keep(what, key, { body: content, key });
  try {
    const answer = await send(key);
    keep(what, key, undefined);
    return { answer, isRepeat: known !== undefined };
  } catch (error) {
    const isRefused = !known && !isOutcomeUnknown(error);
    if (isRefused || isEnded(error)) keep(what, key, undefined);
    throw error;
  }
}

/** Whether the same submission was sent before, and its outcome is unknown. */
export function isUnanswered(what: string, body: unknown): boolean {
  const content = JSON.stringify(body);
  return readKept(what).some((kept) => kept.body === content);
}

/** For submissions of one kind that may have been undone: the same content is then a new submission. */
export function forgetSubmissions(what: string): void {
  sessionStorage.removeItem(PREFIX + what);
}

/** Adds a note to the text about a repeat, so that the user expects one movement and not two. */
export function withRepeatNote(text: string, isRepeat: boolean): string {
  return isRepeat ? `${text.replace(/\.?$/, '.')} ${MESSAGES.get().isRepeat}` : text;
}

/** Whether a failed submission may nevertheless have been carried out. */
export function isOutcomeUnknown(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}
