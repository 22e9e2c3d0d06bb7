import { randomInt } from 'node:crypto';
import { ERROR_STATUS, type ErrorCode } from '@vuka/contracts/error-codes';
import type { ErrorBody, Issue } from '@vuka/contracts/http/common';
import { findRefusal, type PlainReason, type Reason, type ReasonParams } from '@vuka/contracts/texts/catalogue';
import { fill, type Params } from '@vuka/contracts/texts/text';

interface AppErrorOptions {
  cause?: unknown;
  retryAfterSeconds?: number;
  /** How a program can authenticate, for `WWW-Authenticate`. */
  challenge?: string;
  /** Further public fields of the error body, such as the new quote of `rate_changed`. */
  details?: Record<string, unknown>;
  /** The field of the request that is refused. */
  field?: string;
}

/** A refusal that is rendered already, such as the answer of another service. Its text is shown as it is. */
export type Rendered = Pick<ErrorBody, 'code' | 'error'> & {
  reason?: string | undefined;
  params?: Params | undefined;
  issues?: Issue[] | undefined;
};

type Arguments =
  | [reason: PlainReason, options?: AppErrorOptions]
  | {
      [R in Exclude<Reason, PlainReason>]: [reason: R, options: AppErrorOptions & { params: ReasonParams<R> }];
    }[Exclude<Reason, PlainReason>]
  | [rendered: Rendered, options?: AppErrorOptions];

/**
 * A failure whose reason the caller may see; its cause stays private. Anything else thrown is a bug. The code and the
 * English text come from the catalogue of reasons.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly params: Params | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: string | undefined;
  readonly details: Record<string, unknown>;
  readonly issues: Issue[] | undefined;

  constructor(...[refusal, options = {}]: Arguments) {
    const params = 'params' in options ? options.params : undefined;
    const rendered = typeof refusal === 'string' ? render(refusal, params) : refusal;
    if (!rendered) throw new Error(`the catalogue has no reason ${refusal}`);
    super(rendered.error, { cause: options.cause });
    this.name = 'AppError';
    this.code = rendered.code;
    this.reason = rendered.reason;
    this.params = rendered.params;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenge = options.challenge;
    this.details = options.details ?? {};
    this.issues = options.field === undefined ? rendered.issues : [issueOf(options.field, rendered)];
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** A reason with its code and its English text; undefined if this release does not know the reason. */
export function render(reason: string, params?: Params): Rendered | undefined {
  const refusal = findRefusal(reason);
  return refusal && { code: refusal.code, error: fill(refusal.text, params), reason, params };
}

/** A refusal of one field. */
export function issueOf(path: string, { error: message, reason, params }: Rendered): Issue {
  return { path, message, reason, params };
}

/** The answer when a dependency is unavailable: a 503 with `Retry-After`. */
export function unavailable(cause?: unknown, retryAfterSeconds = 2): AppError {
  return new AppError('unavailable', { cause, retryAfterSeconds });
}

/** Spreads the retries of refused clients. */
const SPREAD_SECONDS = 3;

/** New work is refused until the backlog shrinks. No dependency is unavailable. */
export class Overloaded extends AppError {
  /** How long the refusing gate stays closed, ms, if known; retrying sooner cannot succeed. */
  readonly closedForMs: number | undefined;

  constructor(options: { cause?: unknown; retryAfterSeconds?: number | undefined; closedForMs?: number | undefined }) {
    const { cause, retryAfterSeconds = 1, closedForMs } = options;
    // These refusals are counted, not logged. Their stacks took 6 % of an overloaded gateway's time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super('overloaded', { cause, retryAfterSeconds });
    Error.stackTraceLimit = stackTraceLimit;
    this.closedForMs = closedForMs;
  }
}

/** Overloaded, for an answer to a client. `what` is logged, not shown. */
export function overloaded(what: string, retryAfterSeconds = 1): Overloaded {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds)) + randomInt(SPREAD_SECONDS);
  return new Overloaded({ cause: what, retryAfterSeconds: seconds });
}
