import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyRequest } from 'fastify';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses state-changing requests that a browser sends for another site. Requests without an Origin do not come from
 * a browser.
 */
export function refuseForeignOrigins(app: HttpApp): void {
  app.addHook('onRequest', async (request) => {
    if (!SAFE_METHODS.has(request.method)) refuseForeignOrigin(request);
  });
}

/** For a GET that also writes: a link on another site would carry the session. */
export function refuseForeignOrigin(request: FastifyRequest): void {
  if (!isOwn(request)) throw new AppError('origin_foreign');
}

function isOwn(request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (request.headers['sec-fetch-site'] === 'cross-site') return false;
  if (origin === undefined) return true;
  // Not the scheme: behind a proxy with TLS, the page's scheme differs from ours.
  return URL.canParse(origin) && new URL(origin).host === request.host;
}
