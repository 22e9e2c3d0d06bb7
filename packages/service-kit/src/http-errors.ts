import type { Socket } from 'node:net';
import type { ErrorBody, Issue } from '@vuka/contracts/http/common';
import { type GivenReason, readReason } from '@vuka/contracts/texts/reason';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { AppError, issueOf, Overloaded, render, unavailable } from './app-error.ts';
import { isConflict, isDatabaseUnavailable } from './database.ts';
import { uuidv7 } from './ids.ts';

// An import of node:http would also load the HTTP client that is built into Node (nodejs/undici), which nothing here uses:
// a tenth of a second of each start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Distinguishes an overloaded service from an unavailable one. */
export const CLOSED_FOR_HEADER = 'x-vuka-closed-for-ms';

/** Sent by a process that is starting and has not begun the request: any such request may be sent again. */
export const NOT_BEGUN_HEADER = 'x-vuka-not-begun';

/** For answers that are sent before any hook could add the gateway's headers (OWASP ASVS 5, V3.4). */
export const EARLY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;

/** Answers a failed request in the common error shape. Bugs are logged in full and their details are never sent. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const failure = toAppError(error);
  if (failure.code === 'internal_error') request.log.error({ err: error, requestId: request.id }, 'request failed');
  // Overload refusals are counted, not logged: they have to be cheap.
  else if (failure.code === 'unavailable' && !(failure instanceof Overloaded)) {
    request.log.warn({ cause: messageOf(failure.cause), requestId: request.id }, 'request refused: unavailable');
  }
  if (failure.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.ceil(failure.retryAfterSeconds)));
  if (failure.challenge) reply.header('www-authenticate', failure.challenge);
  if (failure instanceof Overloaded && failure.closedForMs)
    reply.header(CLOSED_FOR_HEADER, String(failure.closedForMs));
  const body = bodyOf(failure, request.id);
  // Sent as text, to bypass the route's response schemas, which describe successes.
  return reply
    .code(failure.status)
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(JSON.stringify(body));
}

/** How long a client may read the answer to input that is not HTTP, ms. */
const UNREADABLE_LINGERS_MS = 1_000;

/**
 * Answers input that is not HTTP, has oversized headers or takes too long, before there is a request to answer. The
 * connection ends soon, also if the client does not close it: such connections would otherwise add up.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW' ? new AppError('request_too_large') : new AppError('request_unreadable');
  const requestId = uuidv7();
  const text = JSON.stringify(bodyOf(failure, requestId));
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(EARLY_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  setTimeout(() => socket.destroy(), UNREADABLE_LINGERS_MS).unref();
}

function bodyOf({ details, message, code, reason, params, issues }: AppError, requestId: string): ErrorBody {
  return { ...details, error: message, code, reason, params, requestId, issues };
}

/** Converts any failure into one that the caller may see. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first, ...others] = error.validation.map(toIssue);
    if (!first) return new AppError('request_invalid', { cause: error });
    const { path: _, message, ...given } = first;
    return new AppError(
      { code: 'validation_failed', error: message, ...given, issues: [first, ...others] },
      { cause: error },
    );
  }
  if (isPassing(error)) return unavailable(error);
  if (isNotText(error)) return notText(error);
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return new AppError('request_too_large', { cause: error });
  if (status === 404) return new AppError('address_unknown', { cause: error });
  if (status === 503) return unavailable(error);
  if (error instanceof Error && 'code' in error && error.code === 'FST_ERR_BAD_URL') {
    return new AppError('address_unreadable', { cause: error });
  }
  if (status >= 400 && status < 500) {
    return new AppError('request_not_json', { cause: error });
  }
  return new AppError('internal_error', { cause: error });
}

/** After a conflict, the transaction has changed nothing and may succeed when the caller repeats it. */
const isPassing = (error: unknown): boolean => isDatabaseUnavailable(error) || isConflict(error);

/** One broken rule of a schema. A rule that gives no reason is described by the name of its field. */
function toIssue({ instancePath, message = '' }: { instancePath: string; message?: string | undefined }): Issue {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const isBare = message === '' || message === 'Invalid input';
  const given = isBare ? reasonOfField(path) : readReason(message);
  const rendered = given && render(given.reason, given.params);
  return rendered ? issueOf(path, rendered) : { path, message };
}

function reasonOfField(path: string): GivenReason {
  return path === '' ? { reason: 'body_not_object' } : { reason: 'field_invalid', params: { field: path } };
}

/** The answer to input that is not valid text, wherever that is detected. */
export function notText(cause?: unknown): AppError {
  return new AppError('text_unreadable', { cause });
}

/** Postgres text cannot hold U+0000 (SQLSTATE 22021, 22P05); the sender gets a 400. */
function isNotText(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '22021' || error.code === '22P05');
}

function messageOf(cause: unknown): unknown {
  return cause instanceof Error ? cause.message : cause;
}
