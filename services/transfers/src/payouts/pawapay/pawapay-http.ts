import { exchange } from '@vuka/service-kit/http-exchange';
import { Pool } from 'undici';

export interface Answer {
  status: number;
  /** Undefined when the body is not JSON. */
  json: unknown;
  text: string;
}

/** The result of a request. `error`: no complete answer arrived; `isSent`: any of the request may have left. */
export type Exchange = { url: string; answer: Answer } | { url: string; error: string; isSent: boolean };

interface RequestOptions {
  body?: string | undefined;
  /**
   * Called right before the first byte is written: the request may have waited for a connection, or the process may
   * have been suspended.
   */
  isTooLate?: (() => boolean) | undefined;
  /** The W3C trace header of the transfer. */
  traceparent?: string | undefined;
}

export interface PawapayHttp {
  /** Never throws. */
  request(method: 'GET' | 'POST', path: string, options?: RequestOptions): Promise<Exchange>;
  /** Sends nothing more, and aborts requests that have no answer within three seconds. */
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
/** A stopping process has nine seconds for this and everything that follows from it. */
const CLOSE_MS = 3_000;

/**
 * Calls pawaPay over kept-alive connections. No circuit breaker: a call refused by a breaker would be as inconclusive
 * as a failed one.
 */
export function createPawapayHttp(options: PawapayHttpOptions): PawapayHttp {
  const { timeoutMs = 10_000 } = options;
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections: options.connections ?? 64,
    connect: { timeout: Math.min(timeoutMs, 3_000) },
    keepAliveTimeout: 30_000,
    maxResponseSize: MAX_ANSWER_BYTES,
  });

  return {
    async request(method, path, { body, isTooLate = () => false, traceparent } = {}) {
      const url = `${origin}${prefix}${path}`;
      let isSent = false;
      const mayStart = () => {
        isSent = !isTooLate();
        return isSent;
      };
      try {
        const { status, text } = await exchange(pool, {
          method,
          path: `${prefix}${path}`,
          body,
          timeoutMs,
          mayStart,
          headers: {
            authorization: `Bearer ${options.token}`,
            accept: 'application/json',
            ...(traceparent === undefined ? {} : { traceparent }),
            ...(body === undefined ? {} : { 'content-type': 'application/json; charset=UTF-8' }),
          },
        });
        return { url, answer: { status, json: parseJson(text), text } };
      } catch (error) {
        return { url, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error), isSent };
      }
    },
    async close() {
      const givingUp = setTimeout(() => void pool.destroy(), CLOSE_MS);
      await pool.close().finally(() => clearTimeout(givingUp));
    },
  };
}

/** Parses JSON; undefined if it is not JSON. Removes from its strings the characters that Postgres cannot store. */
export function parseJson(text: string): unknown {
  try {
    return text.includes('\\u') ? JSON.parse(text, (_name, value: unknown) => keepable(value)) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keepable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name.replaceAll('\0', '').toWellFormed(), field]),
  );
}
