import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, ApiClient } from '@vuka/local/testing/api-client';
import type { History } from './history.ts';

export const REPEAT_MS = 150;
/** A repeated request may arrive this much later. A change waits that long: its repeat would undo the next one. */
export const REPEATED_WITHIN_MS = 2_500;
/** A request whose answer was lost may still be on its way to a process that is suspended. */
export const LATE_WITHIN_MS = 12_000;

export interface Request {
  path: string;
  body: object;
  headers?: Record<string, string>;
}

/** Sends a request and notes the answer. Undefined if the connection broke, or if no answer came: a surprise. */
export async function post(
  client: ApiClient,
  history: History,
  { path, body, headers = {} }: Request,
): Promise<Answer | undefined> {
  history.requests += 1;
  const count = (what: string) => history.answers.set(what, (history.answers.get(what) ?? 0) + 1);
  try {
    const answer = await client.post(path, body, headers);
    count(String(answer.status));
    if (answer.status >= 400) history.errorBodies.add(JSON.stringify(answer.body));
    return answer;
  } catch (error) {
    // A killed gateway may break connections, but an open connection without an answer is a violation.
    const isTimeout = (error as Error).name === 'TimeoutError';
    count(isTimeout ? 'no answer in time' : 'connection lost');
    if (isTimeout) history.surprises.push(`${path}: no answer within 10 s, at ${new Date().toISOString()}`);
    return undefined;
  }
}

/** Notes an answer that no client should ever see. */
export function noteSurprise({ surprises }: History, what: string, { status, body }: Answer): void {
  surprises.push(`${what}: ${status} ${JSON.stringify(body)}`);
}

export const isComeBackLater = ({ status, headers }: Answer): boolean =>
  status === 503 && Number(headers.get('retry-after')) > 0;

/** The answers to a read that are no surprise during faults; 401 and 503: the product is unavailable. */
export const READ = [200, 401, 503];

/** How long `Retry-After` tells a client to wait before it repeats the request, ms. */
export const askedToWaitMs = (answer: Answer | undefined): number =>
  Number(answer?.headers.get('retry-after') ?? 0) * 1_000 || REPEAT_MS;

/** Notes an answer whose status is not expected, unless it asks the client to come back later. */
export function noteUnexpected(
  history: History,
  what: string,
  { answer, expected }: { answer: Answer | undefined; expected: readonly number[] },
): void {
  if (answer && !expected.includes(answer.status) && !isComeBackLater(answer)) noteSurprise(history, what, answer);
}

/** A clear answer to one of several identical requests. */
export interface ClearAnswer {
  answer: Answer;
  /** When the first request was sent, and when the answer had arrived; ms. */
  fromMs: number;
  toMs: number;
  /** How many requests it took. */
  tries: number;
}

/** Sends an administrator's request, and again after the PIN if that is asked for. */
export async function postConfirmed(admin: ApiClient, history: History, request: Request): Promise<Answer | undefined> {
  const answer = await post(admin, history, request);
  if (answer?.body.code !== 'step_up_required') return answer;
  await post(admin, history, { path: '/api/admin/step-up', body: { pin: admin.pin } });
  return post(admin, history, request);
}

/** Repeats an administrator's request until there is a clear answer, giving the PIN again where that is asked for. */
export async function insist(admin: ApiClient, history: History, request: Request): Promise<ClearAnswer | undefined> {
  const fromMs = Date.now();
  for (let tries = 1; Date.now() < fromMs + history.patienceMs; tries++) {
    const answer = await postConfirmed(admin, history, request);
    if (answer && answer.body.code !== 'step_up_required' && !isComeBackLater(answer))
      return { answer, fromMs, toMs: Date.now(), tries };
    await delay(REPEAT_MS);
  }
  history.surprises.push(`${request.path}: no clear answer within ${history.patienceMs} ms`);
  return undefined;
}
