import '#shared/zod-config.ts';
import { ErrorBody } from '@vuka/contracts/http/common';
import * as z from 'zod/mini';
import { translate } from '#shared/i18n/sentences.ts';
import { learnSessionEnd, takeUse } from '#shared/use-of-session.ts';

const UNEXPECTED = 'An unexpected error occurred';
const MALFORMED = 'The server sent an answer that this app does not understand';

/** The server answered, and the answer is no. `message` is its text for a person. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly statusText: string;
  readonly body: ErrorBody | undefined;

  constructor(status: number, statusText: string, text: string) {
    const body = readErrorBody(text);
    super(wordsOf(body) || text.trim() || statusText || UNEXPECTED);
    this.status = status;
    this.statusText = statusText;
    this.body = body;
  }

  get code(): string | undefined {
    return this.body?.code;
  }

  /** The session is over, as opposed to a wrong PIN or password. */
  get endsSession(): boolean {
    return this.status === 401 && this.code !== 'invalid_pin' && this.code !== 'invalid_credentials';
  }
}

/** No answer came: whether the request did its work is unknown. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** A success answer that cannot be read. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
  constructor() {
    super(MALFORMED);
  }
}

// Error bodies of proxies in between carry less than ours: take what is there.
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

/** What the server says, and how often a PIN may still be tried where it tells. */
function wordsOf(body: ErrorBody | undefined): string {
  const left = body?.code === 'invalid_pin' ? body.attemptsLeft : undefined;
  if (typeof left !== 'number') return body?.error ?? '';
  return `${body?.error}. ${left} ${left === 1 ? 'attempt' : 'attempts'} left.`;
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
  /** The server's clock at the answer, undefined where it did not say. */
  serverNowMs: number | undefined;
  /** The address of the next page of a list, undefined on the last. */
  nextPath: string | undefined;
  /** How many a list holds on all its pages, undefined where the server did not count. */
  total: number | undefined;
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** The name of what is asked for: sent again under it, it is done once. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

type Retry = (failure: unknown, path: string, options: RequestOptions) => Promise<RawAnswer>;

const giveUp: Retry = (failure) => Promise.reject(failure);
let retry = giveUp;

/** Lets the admin area ask for a PIN that a call was refused without, and repeat the call. Without it none is repeated. */
export function retryFailures(next: Retry = giveUp): void {
  retry = next;
}

/** Sends a request with the session's cookie. Throws ApiError on a non-2xx answer, NetworkError when none came. */
export function sendRequest(path: string, options: RequestOptions = {}): Promise<RawAnswer> {
  return sendOnce(path, options).catch((failure: unknown) => retry(failure, path, options));
}

/** As `sendRequest`, and what fails is not repeated. */
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
    throw new NetworkError(cause instanceof Error && cause.message ? cause.message : UNEXPECTED, { cause });
  });
  tellUse?.();
  const secondsLeft = response.headers.get('x-vuka-session-ends-in');
  if (secondsLeft !== null) learnSessionEnd(Number(secondsLeft));
  const text = await response.text().catch((cause: unknown) => {
    throw new NetworkError(UNEXPECTED, { cause });
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

/** Sends a request and reads the answer by its contract. */
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

/**
 * The text to show for anything thrown, in the language on screen; server text is cut, since a toast is no
 * place for a page of it.
 */
export function errorMessage(error: unknown, fallback = UNEXPECTED): string {
  const message = error instanceof Error ? error.message : '';
  return translate(message || fallback).slice(0, 160);
}
