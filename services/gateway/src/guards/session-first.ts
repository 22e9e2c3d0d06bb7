import { AppError } from '@vuka/service-kit/app-error';
import { toAppError } from '@vuka/service-kit/http-errors';
import type { FastifyRequest } from 'fastify';
import type { Sessions } from './sessions.ts';

/**
 * Answers 401 before 400: callers without a session do not learn what is wrong with their request. The session of a
 * well-formed request is checked by its handler, in a single call.
 */
export function askSessionFirst(sessions: Sessions): (failure: unknown, request: FastifyRequest) => Promise<unknown> {
  return async (failure, request) => {
    if (failure instanceof AppError || toAppError(failure).code !== 'validation_failed' || isOpen(request))
      return failure;
    return sessions.requireInBackground(request).then(
      () => failure,
      (refusal: unknown) => refusal,
    );
  };
}

/** API routes that need no session, or an API key, declare it in their schema. */
function isOpen({ routeOptions }: FastifyRequest): boolean {
  const schema = routeOptions.schema as { security?: unknown; hide?: boolean } | undefined;
  return !routeOptions.url?.startsWith('/api/') || schema?.security !== undefined || schema?.hide === true;
}
