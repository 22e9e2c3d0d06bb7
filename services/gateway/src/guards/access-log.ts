import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyRequest } from 'fastify';

/**
 * The refusals that are logged. A request without a session is routine; metrics count invalid input and too many
 * requests.
 */
const NOTED_CODES = new Set([
  'account_blocked',
  'forbidden',
  'invalid_credentials',
  'invalid_factor',
  'invalid_pin',
  'limit_exceeded',
  'too_many_attempts',
]);
const NOTED_REASONS = new Set(['api_key_missing', 'api_key_unknown', 'code_wrong']);

/** Calls that authenticate a user, end a session, or change a PIN. */
const AUTHENTICATION = /^\/api\/(login|logout|register|(admin\/)?change-pin|admin\/step-up|pin-reset\/confirm)$/;

/**
 * Logs who was refused, from where, and why (OWASP ASVS 5, V16.3). Identity logs the user under the same request id.
 */
export function noteRefusal(failure: unknown, request: FastifyRequest): void {
  if (!(failure instanceof AppError)) return;
  const { code, reason } = failure;
  if (!(NOTED_CODES.has(code) || NOTED_REASONS.has(reason ?? ''))) return;
  request.log.info({ ...describe(request), code, reason }, 'access was refused');
}

/** Logs each sign-in and sign-out that succeeded, and each change of a PIN. */
export function logAuthentication(app: HttpApp): void {
  app.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode >= 300 || !AUTHENTICATION.test(request.routeOptions.url ?? '')) return;
    request.log.info(describe(request), 'authenticated');
  });
}

/** Logs the route rather than the requested address, which may contain a phone number. */
const describe = ({ id, ip, method, routeOptions }: FastifyRequest) => ({
  requestId: id,
  address: ip,
  route: `${method} ${routeOptions.url ?? 'unknown'}`,
});
