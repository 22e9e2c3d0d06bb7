import { Pool } from 'undici';

export interface Answer {
  status: number;
  /** Undefined where the body is not JSON. */
  json: unknown;
  text: string;
}

/** What came of a request; `error` where no whole answer came. */
export type Exchange = { url: string; answer: Answer } | { url: string; error: string };

export interface PawapayHttp {
  /** Never throws. */
  request(method: 'GET' | 'POST', path: string, body?: string): Promise<Exchange>;
  close(): Promise<void>;
}

export interface PawapayHttpOptions {
  baseUrl: string;
  token: string;
  /** Deadline of one exchange, ms. */
  timeoutMs?: number;
  connections?: number;
}

const MAX_ANSWER_BYTES = 1_000_000;

/** Calls to pawaPay over kept-alive connections. No breaker: a refused call is as open a question as a failed one. */
export function createPawapayHttp(options: PawapayHttpOptions): PawapayHttp {
  const { timeoutMs = 10_000 } = options;
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections: options.connections ?? 64,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: Math.min(timeoutMs, 3_000) },
    keepAliveTimeout: 30_000,
    maxResponseSize: MAX_ANSWER_BYTES,
  });

  return {
    async request(method, path, body) {
      const url = `${origin}${prefix}${path}`;
      try {
        const response = await pool.request({
          method,
          path: `${prefix}${path}`,
          body: body ?? null,
          headers: {
            authorization: `Bearer ${options.token}`,
            accept: 'application/json',
            ...(body === undefined ? {} : { 'content-type': 'application/json; charset=UTF-8' }),
          },
          signal: AbortSignal.timeout(timeoutMs),
        });
        const text = await response.body.text();
        return { url, answer: { status: response.statusCode, json: parseJson(text), text } };
      } catch (error) {
        return { url, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
      }
    },
    // A request on its way has a deadline of its own, so that closing ends as well.
    close: () => pool.close(),
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
