import { AppError } from '@vuka/service-kit/app-error';
import { toAppError } from '@vuka/service-kit/http-errors';
import type { FastifyRequest } from 'fastify';
import type { Sessions } from './sessions.ts';

/**
 * Whoever is not signed in is told so, and not what is wrong with a request that they may not make: 401 before 400. A
 * request that is well formed has its session checked by its handler, in the one call that it takes.
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

/** Routes of the API that need no session, or another key, say so in their schema. */
function isOpen({ routeOptions }: FastifyRequest): boolean {
  const schema = routeOptions.schema as { security?: unknown; hide?: boolean } | undefined;
  return !routeOptions.url?.startsWith('/api/') || schema?.security !== undefined || schema?.hide === true;
}
