import { randomInt } from 'node:crypto';
import { ERROR_STATUS, type ErrorCode } from '@vuka/contracts/error-codes';

interface AppErrorOptions {
  cause?: unknown;
  retryAfterSeconds?: number;
  /** How a program can authenticate, for `WWW-Authenticate`. */
  challenge?: string;
  /** Further public fields of the error body, such as the new quote of `rate_changed`. */
  details?: Record<string, unknown>;
  issues?: { path: string; message: string }[];
}

/** A failure that the caller may see: its message is public, its cause is not. Anything else thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: string | undefined;
  readonly details: Record<string, unknown>;
  readonly issues: { path: string; message: string }[] | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenge = options.challenge;
    this.details = options.details ?? {};
    this.issues = options.issues;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The answer when a dependency is unavailable: a 503 with `Retry-After`. */
export function unavailable(cause?: unknown, retryAfterSeconds = 2): AppError {
  return new AppError('unavailable', 'The service is temporarily unavailable. Please try again shortly.', {
    cause,
    retryAfterSeconds,
  });
}

const TOO_MUCH = 'We are very busy at the moment. Please try again in a few seconds.';
/** Spreads the retries of refused clients. */
const SPREAD_SECONDS = 3;

/** New work is refused until the backlog shrinks. No dependency is unavailable. */
export class Overloaded extends AppError {
  /** How long the refusing gate stays closed, ms, if known; retrying sooner cannot succeed. */
  readonly closedForMs: number | undefined;

  constructor(options: { cause?: unknown; retryAfterSeconds?: number | undefined; closedForMs?: number | undefined }) {
    const { cause, retryAfterSeconds = 1, closedForMs } = options;
    super('unavailable', TOO_MUCH, { cause, retryAfterSeconds });
    this.closedForMs = closedForMs;
  }
}

/** Overloaded, for an answer to a client. `what` is logged, not shown. */
export function overloaded(what: string, retryAfterSeconds = 1): Overloaded {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds)) + randomInt(SPREAD_SECONDS);
  return new Overloaded({ cause: what, retryAfterSeconds: seconds });
}
