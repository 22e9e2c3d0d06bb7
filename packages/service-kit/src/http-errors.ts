import type { ErrorBody } from '@vuka/contracts/http/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { AppError, unavailable } from './app-error.ts';
import { isDatabaseAway } from './database.ts';

/** Answers a request that failed, in the one shape that errors have. Bugs are logged whole and told to nobody. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const failure = toAppError(error);
  if (failure.code === 'internal_error') request.log.error({ err: error, requestId: request.id }, 'request failed');
  else if (failure.code === 'unavailable') {
    request.log.warn({ cause: messageOf(failure.cause), requestId: request.id }, 'request refused: unavailable');
  }
  if (failure.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.ceil(failure.retryAfterSeconds)));
  const body: ErrorBody = {
    ...failure.details,
    error: failure.message,
    code: failure.code,
    requestId: request.id,
    ...(failure.issues ? { issues: failure.issues } : {}),
  };
  // Sent as text, past the route's response schemas, which describe successes.
  return reply
    .code(failure.status)
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(JSON.stringify(body));
}

/** Any failure as one that a caller may see. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation.map((issue) => ({
      path: issue.instancePath.slice(1).replaceAll('/', '.'),
      message: issue.message ?? 'Invalid value',
    }));
    return new AppError('validation_failed', issues[0]?.message ?? 'Invalid request', { issues, cause: error });
  }
  if (isDatabaseAway(error)) return unavailable(error);
  if (isNotText(error))
    return new AppError('validation_failed', 'The request has characters that are not text.', { cause: error });
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return new AppError('payload_too_large', 'The request is too large.', { cause: error });
  if (status === 404) return new AppError('not_found', 'There is nothing at this address.', { cause: error });
  if (status === 503) return unavailable(error);
  if (status >= 400 && status < 500) {
    return new AppError('validation_failed', 'The request could not be read. Send JSON as application/json.', {
      cause: error,
    });
  }
  return new AppError('internal_error', 'Something went wrong on our side. Please try again.', { cause: error });
}

/** Postgres text cannot hold U+0000 (SQLSTATE 22021, 22P05); whoever sends it is told so. */
function isNotText(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '22021' || error.code === '22P05');
}

function messageOf(cause: unknown): unknown {
  return cause instanceof Error ? cause.message : cause;
}
