import '#shared/zod-config.ts';
import { ErrorBody } from '@vuka/contracts/http/common';
import type { Params } from '@vuka/contracts/texts/text';
import * as z from 'zod/mini';
import { type OwnReason, REFUSAL_TEXTS, refusalText } from '#shared/i18n/refusal-texts.ts';
import { learnSessionEnd, takeUse } from '#shared/use-of-session.ts';

/** The server answered with a refusal or an error. `message` is its text, in English. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly statusText: string;
  readonly body: ErrorBody | undefined;

  constructor(status: number, statusText: string, text: string) {
    const body = readErrorBody(text);
    super(body?.error || text.trim() || statusText);
    this.status = status;
    this.statusText = statusText;
    this.body = body;
  }

  get code(): string | undefined {
    return this.body?.code;
  }

  /** The text for the user, in their language. It states the remaining PIN attempts if the server did. */
  get text(): string {
    const left = this.code === 'invalid_pin' ? this.body?.attemptsLeft : undefined;
    if (typeof left === 'number') return refusalText({ reason: 'pin_attempts_left', params: { attempts: left } }, '');
    return refusalText(this.body ?? {}, this.message);
  }

  /** The session is over, as opposed to a wrong PIN or password. */
  get endsSession(): boolean {
    return this.status === 401 && this.code !== 'invalid_pin' && this.code !== 'invalid_credentials';
  }
}

/** No answer arrived: whether the request took effect is unknown. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** A failure that this app found, with a reason of its own. */
export class AppFailure extends Error {
  override readonly name: string = 'AppFailure';
  readonly params: Params;

  constructor(reason: OwnReason, params: Params = {}) {
    super(reason);
    this.params = params;
  }

  get text(): string {
    return refusalText({ reason: this.message, params: this.params }, this.message);
  }
}

/** A successful answer that cannot be parsed. */
export class MalformedAnswerError extends AppFailure {
  override readonly name = 'MalformedAnswerError';
  constructor() {
    super('answer_malformed');
  }
}

// Proxies in between return other error bodies than our services: every field is optional.
const LooseErrorBody = z.looseObject({
  error: z.optional(z.string()),
  message: z.optional(z.string()),
  code: z.optional(z.string()),
});

function readErrorBody(text: string): ErrorBody | undefined {
  const json = parseJson(text);
  const strict = z.safeParse(ErrorBody, json);
  if (strict.success) return strict.data;
  const loose = z.safeParse(LooseErrorBody, json);
  if (!loose.success) return undefined;
  return { ...loose.data, error: loose.data.error ?? loose.data.message ?? '' } as ErrorBody;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface RawAnswer {
  status: number;
  json: unknown;
  /** The server's clock at the time of the answer; undefined if the answer had no date. */
  serverNowMs: number | undefined;
  /** The address of the next page of a list; undefined on the last page. */
  nextPath: string | undefined;
  /** The number of items on all pages of a list; undefined if the server did not count them. */
  total: number | undefined;
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** The idempotency key: requests with the same key take effect once. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

type Retry = (failure: unknown, path: string, options: RequestOptions) => Promise<RawAnswer>;

const giveUp: Retry = (failure) => Promise.reject(failure);
let retry = giveUp;

/**
 * Lets the admin area ask for a PIN and repeat a call that was refused for lack of it. By default no call is repeated.
 */
export function retryFailures(next: Retry = giveUp): void {
  retry = next;
}

/** Sends a request with the session's cookie. Throws ApiError on a non-2xx answer, NetworkError if there was none. */
export function sendRequest(path: string, options: RequestOptions = {}): Promise<RawAnswer> {
  return sendOnce(path, options).catch((failure: unknown) => retry(failure, path, options));
}

/** Like `sendRequest`, but never repeats a failed call. */
export async function sendOnce(path: string, options: RequestOptions): Promise<RawAnswer> {
  const { method = 'GET', body, idempotencyKey, signal } = options;
  const tellUse = takeUse();
  const response = await fetch(path, {
    method,
    credentials: 'include',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(tellUse ? {} : { 'x-vuka-background': '1' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    throw new NetworkError(cause instanceof Error ? cause.message : '', { cause });
  });
  tellUse?.();
  const secondsLeft = response.headers.get('x-vuka-session-ends-in');
  if (secondsLeft !== null) learnSessionEnd(Number(secondsLeft));
  const text = await response.text().catch((cause: unknown) => {
    throw new NetworkError('', { cause });
  });
  if (!response.ok) throw new ApiError(response.status, response.statusText, text);
  const date = Date.parse(response.headers.get('date') ?? '');
  const total = response.headers.get('x-total-count');
  return {
    status: response.status,
    json: parseJson(text),
    serverNowMs: Number.isNaN(date) ? undefined : date,
    nextPath: /<([^<>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1],
    total: total === null ? undefined : Number(total),
  };
}

/** Sends a request and parses the answer by its contract. */
export async function callApi<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  options?: RequestOptions,
): Promise<z.infer<Schema>> {
  const answer = await sendRequest(path, options);
  return parseAnswer(schema, answer.json);
}

export function parseAnswer<Schema extends z.ZodMiniType>(schema: Schema, json: unknown): z.infer<Schema> {
  const parsed = z.safeParse(schema, json);
  if (!parsed.success) throw new MalformedAnswerError();
  return parsed.data;
}

/** The text to show for any thrown error, in the user's language. Server text is truncated to fit a toast. */
export function errorMessage(error: unknown, fallback = REFUSAL_TEXTS.get().unexpected): string {
  return (textOf(error) || fallback).slice(0, 160);
}

function textOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof AppFailure) return error.text;
  return error instanceof Error ? error.message : '';
}
