import { ErrorBody } from '@vuka/contracts/http/common';
import CircuitBreaker from 'opossum';
import { Pool } from 'undici';
import type * as z from 'zod/mini';
import { AppError, unavailable } from './app-error.ts';
import type { InternalTokens } from './tokens.ts';

export interface ServiceClientOptions {
  baseUrl: string;
  /** The calling service's name. */
  from: string;
  tokens: InternalTokens;
  /** Deadline of one call, ms. */
  timeoutMs?: number;
  connections?: number;
}

export interface CallOptions {
  /** A caller token, for calls on behalf of a person. */
  caller?: string;
  requestId?: string;
  /** Ask once more after a lost connection. For work that may run twice. */
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
  close(): Promise<void>;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body: string | undefined;
  options: CallOptions;
}

/**
 * Calls to one other service: keep-alive connections, a deadline, a breaker, and answers parsed by the contract. Throws
 * the AppError that the service answered, or `unavailable` when it is away, slow, failing, or its breaker is open.
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { timeoutMs = 3_000 } = options;
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const pool = new Pool(base.origin, {
    connections: options.connections ?? 8,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: 1_000 },
    keepAliveTimeout: 30_000,
  });

  async function once({ method, path, body, options: callOptions }: Call): Promise<unknown> {
    const response = await pool.request({
      method,
      path: prefix + path,
      body: body ?? null,
      headers: {
        'content-type': 'application/json',
        'x-vuka-service': options.tokens.signService(options.from),
        ...(callOptions.caller ? { 'x-vuka-caller': callOptions.caller } : {}),
        ...(callOptions.requestId ? { 'x-request-id': callOptions.requestId } : {}),
      },
    });
    const answer: unknown = await response.body.json();
    if (response.statusCode < 400) return answer;
    throw toFailure(response.statusCode, answer, Number(response.headers['retry-after']));
  }

  async function attempt(call: Call): Promise<unknown> {
    try {
      return await once(call);
    } catch (error) {
      if (error instanceof AppError || !(call.method === 'GET' || call.options.idempotent)) throw error;
      return await once(call);
    }
  }

  const breaker = new CircuitBreaker(attempt, {
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: 10,
    resetTimeout: 1_000,
    rollingCountTimeout: 5_000,
    errorFilter: (error: unknown) => error instanceof AppError && error.status < 500,
  });

  async function call<Schema extends z.ZodMiniType>(request: Call, answer: Schema): Promise<z.infer<Schema>> {
    let body: unknown;
    try {
      body = await breaker.fire(request);
    } catch (error) {
      throw error instanceof AppError ? error : unavailable(error);
    }
    return answer.parse(body);
  }

  return {
    get: (path, answer, callOptions = {}) =>
      call({ method: 'GET', path, body: undefined, options: callOptions }, answer),
    post: (path, body, answer, callOptions = {}) =>
      call({ method: 'POST', path, body: JSON.stringify(body), options: callOptions }, answer),
    async close() {
      breaker.shutdown();
      await pool.close();
    },
  };
}

function toFailure(status: number, answer: unknown, retryAfterSeconds: number): AppError {
  const parsed = ErrorBody.safeParse(answer);
  if (!parsed.success || status >= 500) return unavailable(new Error(`answered ${status}`));
  const { error, code, issues, requestId: _, ...details } = parsed.data;
  return new AppError(code, error, {
    details,
    ...(issues ? { issues } : {}),
    ...(Number.isFinite(retryAfterSeconds) ? { retryAfterSeconds } : {}),
  });
}
