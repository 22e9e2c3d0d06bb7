import { setTimeout as delay } from 'node:timers/promises';
import { ErrorBody } from '@vuka/contracts/http/common';
import CircuitBreaker from 'opossum';
import { Pool } from 'undici';
import type * as z from 'zod/mini';
import { type Absence, createAbsence } from './absence.ts';
import { AppError, Overloaded, overloaded, unavailable } from './app-error.ts';
import { CLOSED_FOR_HEADER, NOT_BEGUN_HEADER } from './http-errors.ts';
import { exchange } from './http-exchange.ts';
import { KEY_HEADER } from './idempotency-key.ts';
import { SERVICE_HEADER, type ServiceTokens } from './service-tokens.ts';

export interface ServiceClientOptions {
  baseUrl: string;
  /** The name of the called service: the tokens are valid there only. */
  to: string;
  tokens: Pick<ServiceTokens, 'tokenFor'>;
  /** Deadline of one call, ms; waiting for a neighbour that is being replaced is not included. */
  timeoutMs?: number;
  /** How long calls wait for an absent neighbour, ms; by default the deadline. */
  patienceMs?: number;
  connections?: number;
  /** Calls that may be in flight or wait for a connection; one more is refused at once. */
  maxUnderWay?: number;
}

export interface CallOptions {
  /** The person on whose behalf the call is made, as a header's value. */
  caller?: string;
  requestId?: string;
  /** The client's idempotency key. */
  key?: string | undefined;
  /** Repeat once after a lost connection, never after the deadline. For work that may run twice. */
  idempotent?: boolean;
}

export interface ServiceClient {
  get<Schema extends z.ZodMiniType>(path: string, answer: Schema, options?: CallOptions): Promise<z.infer<Schema>>;
  post<Schema extends z.ZodMiniType>(
    path: string,
    body: unknown,
    answer: Schema,
    options?: CallOptions,
  ): Promise<z.infer<Schema>>;
  /** Whether calls wait for the service, because it is being replaced. */
  readonly isAwaited: boolean;
  close(): Promise<void>;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body: string | undefined;
  options: CallOptions;
}

/** With eight connections and answers of 10 ms, the last call in the queue waits 0.3 s. */
const MAX_UNDER_WAY = 250;
const RECONNECT_EVERY_MS = 100;
/** Errors of a connection that was never made. A container's name is unknown while it is replaced. */
const NOT_CONNECTED = new Set<unknown>([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Calls to one other service, with keep-alive connections, a deadline, a circuit breaker, and answers parsed by the
 * contract. Calls wait, as long as the patience lasts, while the service accepts no connection or says that it is
 * starting. Throws the AppError that the service answered, or `unavailable` if it is unreachable, slow or failing, or
 * its breaker is open.
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { timeoutMs = 3_000, maxUnderWay = MAX_UNDER_WAY } = options;
  let underWay = 0;
  let isClosing = false;
  const absence = createAbsence(options.patienceMs ?? timeoutMs);
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const pool = new Pool(base.origin, {
    connections: options.connections ?? 8,
    connect: { timeout: 1_000 },
    keepAliveTimeout: 30_000,
  });

  async function once({ method, path, body, options: callOptions }: Call): Promise<unknown> {
    const { status, headers, text } = await exchange(pool, {
      method,
      path: prefix + path,
      body,
      timeoutMs,
      headers: {
        'content-type': 'application/json',
        [SERVICE_HEADER]: await options.tokens.tokenFor(options.to),
        ...headersOf(callOptions),
      },
    });
    const answer: unknown = JSON.parse(text);
    if (headers[NOT_BEGUN_HEADER]) throw new NotBegun(`${base.host} is starting`);
    absence.end();
    if (status < 400) return answer;
    const retryAfterSeconds = Number(headers['retry-after']);
    const closedForMs = Number(headers[CLOSED_FOR_HEADER]);
    if (closedForMs > 0) throw new Overloaded({ closedForMs, retryAfterSeconds });
    throw toFailure(status, answer, retryAfterSeconds);
  }

  async function attempt(call: Call): Promise<unknown> {
    const isRepeatable = call.method === 'GET' || call.options.idempotent;
    const work = () => (isRepeatable ? repeatIfLost(() => once(call)) : once(call));
    return reconnect(work, { absence, isClosing: () => isClosing });
  }

  const breaker = new CircuitBreaker(attempt, {
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: 10,
    resetTimeout: 1_000,
    rollingCountTimeout: 5_000,
    errorFilter: (error: unknown) => error instanceof AppError && (error.status < 500 || error.reason === 'overloaded'),
  });

  async function call<Schema extends z.ZodMiniType>(request: Call, answer: Schema): Promise<z.infer<Schema>> {
    if (underWay >= maxUnderWay) throw overloaded(`${underWay} calls to ${base.host} are under way`);
    let body: unknown;
    underWay += 1;
    try {
      body = await breaker.fire(request);
    } catch (error) {
      throw error instanceof AppError ? error : unavailable(error);
    } finally {
      underWay -= 1;
    }
    return answer.parse(body);
  }

  return {
    get: (path, answer, callOptions = {}) =>
      call({ method: 'GET', path, body: undefined, options: callOptions }, answer),
    post: (path, body, answer, callOptions = {}) =>
      call({ method: 'POST', path, body: JSON.stringify(body), options: callOptions }, answer),
    get isAwaited() {
      return absence.isAwaited;
    },
    async close() {
      isClosing = true;
      breaker.shutdown();
      await pool.close();
    },
  };
}

function headersOf({ caller, requestId, key }: CallOptions): Record<string, string> {
  return {
    ...(caller ? { 'x-vuka-caller': caller } : {}),
    ...(requestId ? { 'x-request-id': requestId } : {}),
    ...(key ? { [KEY_HEADER]: key } : {}),
  };
}

/** Repeats work once if its connection was lost, but not after its deadline. */
async function repeatIfLost<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || hasRunOutOfTime(error) || neverBegan(error)) throw error;
    return await work();
  }
}

/** Repeats work while the neighbour is absent, because it is being replaced. */
async function reconnect<Answer>(
  work: () => Promise<Answer>,
  { absence, isClosing }: { absence: Absence; isClosing: () => boolean },
): Promise<Answer> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!neverBegan(error) || !absence.notice() || isClosing()) throw error;
      await delay(RECONNECT_EVERY_MS);
    }
  }
}

/** The neighbour is starting, and says that it has not begun the call. */
class NotBegun extends Error {}

/** Whether the neighbour has not begun the call: no connection was made, or it says so. */
function neverBegan(error: unknown): boolean {
  if (error instanceof NotBegun) return true;
  return error instanceof Error && 'code' in error && NOT_CONNECTED.has(error.code);
}

/** Another attempt would take as long again, and our caller has a deadline too. */
function hasRunOutOfTime(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function toFailure(status: number, answer: unknown, retryAfterSeconds: number): AppError {
  const parsed = ErrorBody.safeParse(answer);
  const isForCaller = parsed.success && (status < 500 || parsed.data.code === 'unavailable');
  if (!isForCaller) return unavailable(new Error(`answered ${status}`));
  // Our token was refused, not the user: keys or clocks differ, and no user can mend that.
  if (parsed.data.reason === 'not_a_service') return unavailable(new Error('our token was refused'));
  const { error, code, reason, params, issues, requestId: _, ...details } = parsed.data;
  const options = { details, ...(Number.isFinite(retryAfterSeconds) ? { retryAfterSeconds } : {}) };
  return new AppError({ error, code, reason, params, issues }, options);
}
